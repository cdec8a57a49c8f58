import { invalidRequest } from '../api/api-error.ts'
import { createdParam, listQuery, pageParams } from '../api/list-params.ts'
import {
  decimal,
  fields,
  flag,
  integer,
  type MetadataChange,
  mergeMetadata,
  metadata,
  required,
  text,
} from '../api/params.ts'
import { asList, type Call, route } from '../api/route.ts'
import { newId } from '../objects/new-id.ts'
import type { WireInvoice, WireInvoiceItem, WireInvoiceLine } from '../objects/wire.ts'
import { lineAmount, withLines } from '../payments/invoice-amounts.ts'
import { requireDraft } from '../payments/invoice-state.ts'

// The maximum number of lines of an invoice. docs.stripe.com/invoicing: "up to 250 line items".
export const maxLines = 250

const create = route(
  'POST /v1/invoiceitems',
  fields({
    amount: integer(-99_999_999, 99_999_999),
    currency: text(3),
    customer: required(text(255)),
    description: text(),
    discountable: flag(),
    invoice: text(255),
    metadata: metadata(),
    quantity: integer(0, 1_000_000),
    unit_amount_decimal: decimal(),
  }),
  async ({ store, now, emit }, params) => {
    const invoice =
      params.invoice === undefined
        ? undefined
        : requireDraft(await store.lock('invoice', params.invoice, 'invoice'))
    const customer = await store.retrieve('customer', params.customer, 'customer')
    const currency =
      params.currency?.toLowerCase() ?? invoice?.currency ?? customer.currency ?? 'usd'
    if (invoice) requireMatchingInvoice(invoice, customer.id, currency)
    const item = newItem(now, customer.id, currency, { ...params, invoice: invoice?.id })
    await emit('invoiceitem.created', await store.insert(item))
    if (invoice)
      await store.save(withLines(invoice, [...invoice.lines.data, invoiceLine(item, invoice.id)]))
    return item
  },
)

const retrieve = route('GET /v1/invoiceitems/:id', fields({}), ({ store }, _params, id) =>
  store.retrieve('invoiceitem', id),
)

const list = route(
  'GET /v1/invoiceitems',
  fields({ ...pageParams, created: createdParam, customer: text(255), invoice: text(255) }),
  async ({ store }, params) => {
    const matching = { customer: params.customer, invoice: params.invoice }
    return asList(await store.list('invoiceitem', listQuery(params, matching)), '/v1/invoiceitems')
  },
)

export const invoiceItemRoutes = [create, retrieve, list]

type ChosenItem = {
  readonly amount?: number | undefined
  readonly description?: string | undefined
  readonly discountable?: boolean | undefined
  readonly invoice?: string | undefined
  readonly metadata?: MetadataChange | undefined
  readonly quantity?: number | undefined
  readonly unit_amount_decimal?: string | undefined
}

/** Creates an invoice item with all fields of the API. */
export function newItem(
  now: Call['now'],
  customer: string,
  currency: string,
  chosen: ChosenItem,
): WireInvoiceItem {
  const quantity = chosen.quantity ?? 1
  return {
    id: newId('ii'),
    object: 'invoiceitem',
    currency,
    customer,
    customer_account: null,
    date: now,
    description: chosen.description ?? null,
    discountable: chosen.discountable ?? true,
    discounts: [],
    invoice: chosen.invoice ?? null,
    livemode: false,
    metadata: mergeMetadata(null, chosen.metadata),
    parent: null,
    period: { start: now, end: now },
    proration: false,
    quantity,
    quantity_decimal: String(quantity),
    tax_rates: [],
    test_clock: null,
    ...price(chosen.amount, chosen.unit_amount_decimal, quantity),
  }
}

/** Creates the line of an invoice for an invoice item. */
export function invoiceLine(item: WireInvoiceItem, invoiceId: string): WireInvoiceLine {
  return {
    id: newId('il'),
    object: 'line_item',
    amount: item.amount,
    currency: item.currency,
    description: item.description,
    discount_amounts: [],
    discountable: item.discountable,
    discounts: [],
    invoice: invoiceId,
    livemode: false,
    metadata: item.metadata ?? {},
    parent: {
      invoice_item_details: {
        invoice_item: item.id,
        proration: false,
        proration_details: null,
        subscription: null,
      },
      subscription_item_details: null,
      type: 'invoice_item_details',
    },
    period: item.period,
    pretax_credit_amounts: [],
    pricing: item.pricing,
    quantity: item.quantity,
    quantity_decimal: item.quantity_decimal,
    subscription: null,
    subtotal: item.amount,
    taxes: [],
  }
}

function price(
  amount: number | undefined,
  unitAmountDecimal: string | undefined,
  quantity: number,
): Pick<WireInvoiceItem, 'amount' | 'pricing'> {
  if (amount !== undefined && (unitAmountDecimal !== undefined || quantity !== 1)) {
    throw invalidRequest(
      'You may only specify one of these parameters: amount, unit_amount_decimal.',
      'parameters_exclusive',
      'amount',
    )
  }
  const unit = unitAmountDecimal ?? (amount === undefined ? undefined : String(amount))
  if (unit === undefined)
    throw invalidRequest('Missing required param: amount.', 'parameter_missing', 'amount')
  const cents = lineAmount(unit, quantity)
  if (Math.abs(cents) > 99_999_999)
    throw invalidRequest(
      'The amount of an item must be below $999,999.99',
      'amount_too_large',
      'unit_amount_decimal',
    )
  return { amount: cents, pricing: { type: 'price_details', unit_amount_decimal: unit } }
}

function requireMatchingInvoice(invoice: WireInvoice, customerId: string, currency: string): void {
  if (invoice.customer !== customerId) {
    throw invalidRequest('The specified invoice belongs to another customer.', undefined, 'invoice')
  }
  if (invoice.currency !== currency) {
    throw invalidRequest(
      `The currency of the item must be ${invoice.currency}, the currency of its invoice.`,
      undefined,
      'currency',
    )
  }
  requireItemCapacity(invoice, 1)
}

/** Throws an ApiError when the invoice cannot have this number of additional lines. */
export function requireItemCapacity(invoice: WireInvoice, more: number): void {
  if (invoice.lines.data.length + more <= maxLines) return
  throw invalidRequest(`An invoice can have at most ${maxLines} line items.`, undefined, 'invoice')
}
