import { invalidRequest } from '../api/api-error.ts'
import { createdParam, listQuery, pageOf, pageParams } from '../api/list-params.ts'
import {
  emptyable,
  fields,
  flag,
  integer,
  mergeMetadata,
  metadata,
  oneOf,
  required,
  text,
} from '../api/params.ts'
import { asList, type Call, route } from '../api/route.ts'
import { newInvoice } from '../objects/new-invoice.ts'
import type { WireCustomer, WireInvoice } from '../objects/wire.ts'
import { withLines } from '../payments/invoice-amounts.ts'
import { requireDraft } from '../payments/invoice-state.ts'
import { invoiceLine } from './invoice-items.ts'

const collectionMethod = oneOf('charge_automatically', 'send_invoice')
const statuses = oneOf('draft', 'open', 'paid', 'uncollectible', 'void')

const maxNumberLength = 26

const create = route(
  'POST /v1/invoices',
  fields({
    auto_advance: flag(),
    collection_method: collectionMethod,
    currency: text(3),
    customer: required(text(255)),
    days_until_due: integer(0, 10_000),
    description: text(),
    due_date: integer(0),
    footer: text(),
    metadata: metadata(),
    number: text(maxNumberLength),
    pending_invoice_items_behavior: oneOf('exclude', 'include'),
  }),
  async (call, params) => {
    const { store, now, emit, account } = call
    const customer = await store.retrieve('customer', params.customer, 'customer')
    const method = params.collection_method ?? 'charge_automatically'
    const draft = newInvoice({
      account_name: account.businessName,
      auto_advance: params.auto_advance ?? false,
      collection_method: method,
      created: now,
      currency: params.currency?.toLowerCase() ?? customer.currency ?? 'usd',
      customer: customer.id,
      customer_email: customer.email,
      customer_name: customer.name ?? null,
      customer_phone: customer.phone ?? null,
      description: params.description ?? null,
      due_date: dueDate(method, params.days_until_due, params.due_date, now),
      footer: params.footer ?? null,
      metadata: mergeMetadata(null, params.metadata),
      number: params.number ?? null,
      starting_balance: customer.balance,
    })
    requireEmail(method, customer)
    if (params.number !== undefined) await requireUnusedNumber(call, draft.id, params.number)
    await store.insert(draft)
    const invoice =
      params.pending_invoice_items_behavior === 'include'
        ? await attachPendingItems(call, draft)
        : draft
    await emit('invoice.created', invoice)
    return invoice
  },
)

const retrieve = route('GET /v1/invoices/:id', fields({}), ({ store }, _params, id) =>
  store.retrieve('invoice', id),
)

const update = route(
  'POST /v1/invoices/:id',
  fields({
    auto_advance: flag(),
    description: emptyable(text()),
    footer: emptyable(text()),
    metadata: metadata(),
    number: emptyable(text(maxNumberLength)),
  }),
  async (call, params, id) => {
    const { store, emit } = call
    const invoice = await store.lock('invoice', id)
    const { metadata: change, ...changes } = params
    const sent = Object.fromEntries(
      Object.entries(changes).filter(([, value]) => value !== undefined),
    )
    // Only the metadata of a finalized invoice can be changed.
    if (Object.keys(sent).length > 0) requireDraft(invoice)
    if (typeof sent['number'] === 'string') await requireUnusedNumber(call, id, sent['number'])
    const updated = await store.save({
      ...invoice,
      ...sent,
      metadata: mergeMetadata(invoice.metadata, change),
    })
    await emit('invoice.updated', updated)
    return updated
  },
)

const remove = route(
  'DELETE /v1/invoices/:id',
  fields({}),
  async ({ store, emit }, _params, id) => {
    const invoice = requireDraft(await store.lock('invoice', id))
    for (const item of await store.all('invoiceitem', { invoice: id })) await store.remove(item.id)
    await store.remove(id)
    await emit('invoice.deleted', invoice)
    return { id, object: 'invoice', deleted: true }
  },
)

const list = route(
  'GET /v1/invoices',
  fields({
    ...pageParams,
    collection_method: collectionMethod,
    created: createdParam,
    customer: text(255),
    status: statuses,
  }),
  async ({ store }, params) => {
    const matching = {
      collection_method: params.collection_method,
      customer: params.customer,
      status: params.status,
    }
    return asList(await store.list('invoice', listQuery(params, matching)), '/v1/invoices')
  },
)

const lines = route(
  'GET /v1/invoices/:id/lines',
  fields(pageParams),
  async ({ store }, params, id) => {
    const { data, url } = (await store.retrieve('invoice', id)).lines
    return pageOf(data, params, url)
  },
)

export const invoiceRoutes = [create, lines, list, remove, retrieve, update]

function dueDate(
  method: string,
  days: number | undefined,
  date: number | undefined,
  now: number,
): number | null {
  if (method === 'send_invoice') {
    if (days === undefined && date === undefined) {
      throw invalidRequest(
        'You must pass `days_until_due` or `due_date` when collection_method is send_invoice.',
        'parameter_missing',
        'days_until_due',
      )
    }
    return date ?? now + (days ?? 0) * 86_400
  }
  if (days === undefined && date === undefined) return null
  throw invalidRequest(
    'You can only set a due date when collection_method is send_invoice.',
    undefined,
    'days_until_due',
  )
}

function requireEmail(method: string, customer: WireCustomer): void {
  if (method !== 'send_invoice' || customer.email !== null) return
  throw invalidRequest(
    'Missing email. In order to create invoices that are sent to the customer, the customer must have a valid email.',
    undefined,
    'customer',
  )
}

/**
 * Throws an ApiError when another invoice has the number, or when the number contains other characters than letters,
 * digits and hyphens. Stripe's exact rules are unconfirmed; the rules of the sandbox are at least as strict.
 */
async function requireUnusedNumber({ store }: Call, id: string, number: string): Promise<void> {
  if (!/^[A-Za-z0-9-]+$/.test(number)) {
    throw invalidRequest(
      'Invoice numbers consist of letters, digits and hyphens.',
      undefined,
      'number',
    )
  }
  // The lock on the invoice number lasts until the end of the transaction, so one of two concurrent requests with this number fails.
  await store.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `sandbox invoice number ${number}`,
  ])
  const { data } = await store.list('invoice', { number, matching: { number }, limit: 2 })
  if (data.every((invoice) => invoice.id === id)) return
  throw invalidRequest('An invoice with this number already exists.', undefined, 'number')
}

/** Adds the customer's pending invoice items as lines to the draft invoice. */
async function attachPendingItems({ store }: Call, draft: WireInvoice): Promise<WireInvoice> {
  const pending = await store.all('invoiceitem', {
    customer: draft.customer,
    invoice: null,
    currency: draft.currency,
  })
  for (const item of pending) await store.save({ ...item, invoice: draft.id })
  return store.save(
    withLines(
      draft,
      pending.map((item) => invoiceLine(item, draft.id)),
    ),
  )
}
