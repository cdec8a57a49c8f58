import { formatShopDate } from '#domain/text/format-shop-date.ts'
import type { Shop } from '#domain/shop/shop.ts'
import type { WireCharge } from '../objects/wire.ts'
import { formatMoney } from './format.ts'
import { html } from '#server/platform/http/pages/html.ts'
import { layout } from './layout.ts'

/** What was paid, when and with which card (its last four digits). */
export function receiptPage(shop: Shop, charge: WireCharge): string {
  const card = charge.payment_method_details?.card
  const money = (cents: number) => formatMoney(cents, charge.currency)
  return layout(
    shop,
    'Receipt',
    html`<div class="narrow-column">
      <div class="page-head">
        <h1>Receipt</h1>
        <p>from ${shop.name}</p>
      </div>
      <section class="card panel" aria-label="Receipt">
        <p class="amount-asked">${money(charge.amount)} <span class="badge badge-ok">Paid</span></p>
        <dl class="summary">
          <div>
            <dt>Date paid</dt>
            <dd>${formatShopDate(charge.created)}</dd>
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
