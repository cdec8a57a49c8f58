import type { Account } from '../account.ts'
import type { WireCharge } from '../objects/wire.ts'
import { formatDate, formatMoney } from './format.ts'
import { html } from './html.ts'
import { layout } from './layout.ts'

/**
 * Renders the receipt of a charge with its amount, date and refunds, and the brand and last four digits of the card.
 */
export function receiptPage(account: Account, charge: WireCharge): string {
  const card = charge.payment_method_details?.card
  const money = (cents: number) => formatMoney(cents, charge.currency)
  return layout(
    account,
    'Receipt',
    html`<div class="narrow-column">
      <div class="page-head">
        <h1>Receipt</h1>
        <p>from ${account.businessName}</p>
      </div>
      <section class="card" aria-label="Receipt">
        <p class="amount-due">${money(charge.amount)} <span class="badge badge-ok">Paid</span></p>
        <dl class="summary">
          <div>
            <dt>Date paid</dt>
            <dd>${formatDate(charge.created, account.timeZone)}</dd>
          </div>
          <div>
            <dt>Card</dt>
            <dd>${card?.brand} ending in ${card?.last4}</dd>
          </div>
          ${
            charge.description &&
            html`<div>
              <dt>For</dt>
              <dd>${charge.description}</dd>
            </div>`
          }
          ${
            charge.amount_refunded > 0 &&
            html`<div>
              <dt>Refunded</dt>
              <dd>${money(charge.amount_refunded)}</dd>
            </div>`
          }
        </dl>
      </section>
    </div>`,
  )
}
