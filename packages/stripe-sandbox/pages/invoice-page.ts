import type { Account } from '../account.ts'
import type { WireInvoice } from '../objects/wire.ts'
import { formatDate, formatMoney } from './format.ts'
import { html, type Markup } from './html.ts'
import { layout } from './layout.ts'

/** Renders an invoice for its customer, with a link for paying while an amount is due. */
export function invoicePage(
  account: Account,
  invoice: WireInvoice,
  path: string,
  hasPdf: boolean,
): string {
  const money = (cents: number) => formatMoney(cents, invoice.currency)
  const lines = invoice.lines.data.map(
    (line) =>
      html`<div>
        <dt>${line.description}${(line.quantity ?? 1) > 1 && ` × ${line.quantity ?? 1}`}</dt>
        <dd>${money(line.amount)}</dd>
      </div>`,
  )
  const title = `Invoice ${invoice.number ?? ''}`
  return layout(
    account,
    title,
    html`<div class="narrow-column">
      <div class="page-head">
        <h1>${title}</h1>
        <p>${account.businessName}${invoice.customer_name && html` to ${invoice.customer_name}`}</p>
      </div>
      <section class="card" aria-label="Invoice">
        <p class="amount-due">
          ${money(invoice.status === 'paid' ? invoice.amount_paid : invoice.amount_remaining)}
          ${statusBadge(invoice)}
        </p>
        ${dateLine(invoice, account.timeZone)}
        <dl class="summary">
          ${lines} ${taxes(invoice, money)}
          <div class="total-due">
            <dt>Total</dt>
            <dd>${money(invoice.total)}</dd>
          </div>
          ${creditedAmount(invoice, money)}
          ${
            invoice.amount_paid > 0 &&
            html`<div>
              <dt>Paid</dt>
              <dd>${money(invoice.amount_paid)}</dd>
            </div>`
          }
        </dl>
        ${invoice.description && html`<p class="invoice-memo">${invoice.description}</p>`}
        <div class="button-row">
          ${isPayable(invoice) && html`<a class="button button-primary" href="${path}/pay">Pay this invoice</a>`}
          ${hasPdf && html`<a class="button button-secondary" href="${path}/pdf">Download PDF</a>`}
        </div>
      </section>
    </div>`,
  )
}

/** Renders the amount by which credit notes lowered the amount due. */
function creditedAmount(invoice: WireInvoice, money: (cents: number) => string) {
  const { pre_payment_credit_notes_amount: cents } = invoice
  return (
    cents > 0 &&
    html`<div>
      <dt>Credit notes</dt>
      <dd>${money(-cents)}</dd>
    </div>`
  )
}

export function isPayable(invoice: WireInvoice): boolean {
  return (
    (invoice.status === 'open' || invoice.status === 'uncollectible') &&
    invoice.amount_remaining > 0
  )
}

/**
 * Renders the subtotal and the taxes between the invoice lines and the total; renders nothing for an invoice without
 * taxes.
 */
function taxes({ subtotal, total_taxes: taxed }: WireInvoice, money: (cents: number) => string) {
  const added = (taxed ?? []).filter((tax) => tax.tax_behavior === 'exclusive')
  if (added.length === 0) return ''
  const tax = added.reduce((sum, { amount }) => sum + amount, 0)
  return html`<div>
      <dt>Subtotal</dt>
      <dd>${money(subtotal)}</dd>
    </div>
    <div>
      <dt>Tax</dt>
      <dd>${money(tax)}</dd>
    </div>`
}

const badges: Record<string, string> = {
  paid: 'ok',
  open: 'info',
  uncollectible: 'danger',
  void: 'ring',
}

function statusBadge(invoice: WireInvoice): Markup {
  const status = String(invoice.status)
  return html`<span class="badge badge-${badges[status]}">${status}</span>`
}

function dateLine(invoice: WireInvoice, timeZone: string): Markup {
  const { paid_at: paidAt } = invoice.status_transitions
  if (invoice.status === 'paid' && paidAt !== null)
    return html`<p class="muted">Paid on ${formatDate(paidAt, timeZone)}</p>`
  if (invoice.status === 'open' && invoice.due_date !== null)
    return html`<p class="muted">Due ${formatDate(invoice.due_date, timeZone)}</p>`
  return html``
}
