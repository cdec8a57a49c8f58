import {
  fields,
  flag,
  integer,
  listOf,
  metadata,
  object,
  oneOf,
  type ParamsOf,
  required,
  text,
} from '../api/params.ts'
import { type Call, route } from '../api/route.ts'
import { idOf } from '../objects/new-id.ts'
import type { WireInvoice, WireInvoiceLine, WireTax } from '../objects/wire.ts'
import { withLines } from '../payments/invoice-amounts.ts'
import { requireDraft } from '../payments/invoice-state.ts'
import { requireItemCapacity, invoiceLine, maxLines, newItem } from './invoice-items.ts'
import { findOrCreateTaxRate, taxRateData } from './tax-rates.ts'

const maxTaxesOfLine = 20

const taxFields = {
  amount: required(integer(-99_999_999, 99_999_999)),
  tax_rate_data: required(taxRateData),
  taxability_reason: oneOf('standard_rated', 'not_subject_to_tax', 'product_exempt'),
  taxable_amount: required(integer(-99_999_999, 99_999_999)),
}

const lineFields = {
  amount: required(integer(-99_999_999, 99_999_999)),
  description: text(),
  discountable: flag(),
  metadata: metadata(),
  quantity: integer(0, 1_000_000),
  tax_amounts: listOf(object(taxFields), maxTaxesOfLine),
}

// The sandbox only adds new lines with amounts and taxes that the client calculated. Stripe can also add existing
// invoice items.
const addLines = route(
  'POST /v1/invoices/:id/add_lines',
  fields({ lines: required(listOf(object(lineFields), maxLines)) }),
  async (call, params, id) => {
    const draft = requireDraft(await call.store.lock('invoice', id))
    requireItemCapacity(draft, params.lines.length)
    const added: WireInvoiceLine[] = []
    for (const line of params.lines) added.push(await addLine(call, draft, line))
    const updated = await call.store.save(withLines(draft, [...draft.lines.data, ...added]))
    await call.emit('invoice.updated', updated)
    return updated
  },
)

export const invoiceLineRoutes = [addLines]

async function addLine(
  call: Call,
  draft: WireInvoice,
  { tax_amounts: taxes = [], ...chosen }: ParamsOf<typeof lineFields>,
): Promise<WireInvoiceLine> {
  const item = newItem(call.now, idOf(draft.customer), draft.currency, {
    ...chosen,
    invoice: draft.id,
    // Discounts do not apply to a line with a negative amount, because a negative line is a deduction.
    discountable: chosen.discountable ?? chosen.amount >= 0,
  })
  await call.emit('invoiceitem.created', await call.store.insert(item))
  const taxed: WireTax[] = []
  for (const tax of taxes) taxed.push(await toTax(call, tax))
  return { ...invoiceLine(item, draft.id), taxes: taxed }
}

/**
 * Converts a tax that the client calculated to the tax of an invoice line. The sandbox stores the amount as sent and
 * never compares it with the rate and the taxable amount.
 */
async function toTax(call: Call, tax: ParamsOf<typeof taxFields>): Promise<WireTax> {
  const rate = await findOrCreateTaxRate(call, tax.tax_rate_data)
  return {
    amount: tax.amount,
    tax_behavior: rate.inclusive ? 'inclusive' : 'exclusive',
    tax_rate_details: { tax_rate: rate.id },
    taxability_reason: tax.taxability_reason ?? 'not_available',
    taxable_amount: tax.taxable_amount,
    type: 'tax_rate_details',
  }
}
