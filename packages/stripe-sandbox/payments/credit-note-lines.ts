import { invalidRequest, resourceMissing } from '../api/api-error.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { newCreditNoteLine } from '../objects/new-credit-note.ts'
import type { WireCreditNoteLine, WireInvoice, WireInvoiceLine, WireTax } from '../objects/wire.ts'
import type { CreditNoteLineParams, CreditNoteTaxParams } from './credit-note-params.ts'
import { lineAmount } from './invoice-amounts.ts'

/**
 * Creates the lines of a credit note. `credited` contains the lines of the earlier credit notes of the invoice, which
 * reduce the creditable amount of each invoice line.
 */
export async function creditNoteLines(
  store: ObjectStore,
  invoice: WireInvoice,
  requested: readonly CreditNoteLineParams[],
  credited: readonly WireCreditNoteLine[],
): Promise<WireCreditNoteLine[]> {
  const lines: WireCreditNoteLine[] = []
  for (const [index, params] of requested.entries()) {
    const name = `lines[${index}]`
    const line =
      params.type === 'custom_line_item'
        ? customLine(params, name)
        : invoiceLineCredit(invoice, params, [...credited, ...lines], name)
    const taxes: WireTax[] = []
    for (const tax of params.tax_amounts ?? []) taxes.push(await toTax(store, tax, name))
    lines.push({ ...line, taxes, metadata: params.metadata ?? {} })
  }
  return lines
}

function customLine(params: CreditNoteLineParams, name: string): WireCreditNoteLine {
  const unit = params.unit_amount_decimal ?? params.unit_amount?.toString()
  if (unit === undefined) throw missing(`${name}[unit_amount]`)
  if (params.description === undefined) throw missing(`${name}[description]`)
  if (params.amount !== undefined || params.invoice_line_item !== undefined)
    throw refused('These parameters belong to the type invoice_line_item.', `${name}[type]`)
  const quantity = params.quantity ?? 1
  return newCreditNoteLine({
    amount: lineAmount(unit, quantity),
    description: params.description,
    quantity,
    type: 'custom_line_item',
    unit_amount: params.unit_amount ?? null,
    unit_amount_decimal: unit,
  })
}

/**
 * Credits a quantity or an amount of an invoice line. Throws an ApiError when the uncredited part of the line is
 * smaller.
 */
function invoiceLineCredit(
  invoice: WireInvoice,
  params: CreditNoteLineParams,
  credited: readonly WireCreditNoteLine[],
  name: string,
): WireCreditNoteLine {
  const line = requireInvoiceLine(invoice, params, name)
  const { amount, quantity } = params
  if ((amount === undefined) === (quantity === undefined))
    throw refused('You must specify exactly one of: amount, quantity.', `${name}[amount]`)
  const earlier = credited.filter((credit) => credit.invoice_line_item === line.id)
  if (earlier.some((credit) => (credit.quantity === null) !== (quantity === undefined)))
    throw refused('The line was credited by the other of: amount, quantity.', name)
  const unit = line.pricing?.unit_amount_decimal ?? String(line.amount)
  const cents = amount ?? lineAmount(unit, quantity ?? 1)
  const total = earlier.reduce((sum, credit) => sum + credit.amount, cents)
  if (cents === 0 || Math.sign(cents) !== Math.sign(line.amount))
    throw refused('The amount must have the sign of the invoice line.', `${name}[amount]`)
  if (Math.abs(total) > Math.abs(line.amount))
    throw refused(`Only ${line.amount} can be credited of this line.`, `${name}[amount]`)
  return newCreditNoteLine({
    amount: cents,
    description: line.description,
    invoice_line_item: line.id,
    quantity: quantity ?? null,
    type: 'invoice_line_item',
    unit_amount_decimal: quantity === undefined ? null : unit,
  })
}

function requireInvoiceLine(
  invoice: WireInvoice,
  params: CreditNoteLineParams,
  name: string,
): WireInvoiceLine {
  const { invoice_line_item: id } = params
  if (id === undefined) throw missing(`${name}[invoice_line_item]`)
  const line = invoice.lines.data.find((candidate) => candidate.id === id)
  if (!line) throw resourceMissing('invoice line item', id, `${name}[invoice_line_item]`, 400)
  if ((line.taxes ?? []).length === 0 || params.tax_amounts !== undefined) return line
  throw refused(
    'The payment sandbox calculates no tax. Send the tax_amounts of a taxed line.',
    `${name}[tax_amounts]`,
  )
}

/**
 * Converts a tax that the client calculated to the tax of a credit note line. The tax rate must exist; the sandbox
 * stores the amount as sent.
 */
async function toTax(store: ObjectStore, tax: CreditNoteTaxParams, name: string): Promise<WireTax> {
  const rate = await store.retrieve('tax_rate', tax.tax_rate, `${name}[tax_amounts][tax_rate]`)
  return {
    amount: tax.amount,
    tax_behavior: rate.inclusive ? 'inclusive' : 'exclusive',
    tax_rate_details: { tax_rate: rate.id },
    taxability_reason: 'not_available',
    taxable_amount: tax.taxable_amount,
    type: 'tax_rate_details',
  }
}

const missing = (name: string) =>
  invalidRequest(`Missing required param: ${name}.`, 'parameter_missing', name)

const refused = (message: string, name: string) => invalidRequest(message, undefined, name)
