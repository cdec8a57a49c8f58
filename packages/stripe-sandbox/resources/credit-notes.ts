import { invalidRequest } from '../api/api-error.ts'
import { createdParam, listQuery, pageOf, pageParams } from '../api/list-params.ts'
import { fields, text } from '../api/params.ts'
import { asList, route } from '../api/route.ts'
import { idOf } from '../objects/new-id.ts'
import { withCreditNote } from '../payments/invoice-amounts.ts'
import { issueCreditNote } from '../payments/issue-credit-note.ts'
import { readCreditNoteParams } from '../payments/credit-note-params.ts'

const create = route('POST /v1/credit_notes', readCreditNoteParams, async (call, params) =>
  issueCreditNote(call, await call.store.lock('invoice', params.invoice, 'invoice'), params),
)

const retrieve = route('GET /v1/credit_notes/:id', fields({}), ({ store }, _params, id) =>
  store.retrieve('credit_note', id),
)

const list = route(
  'GET /v1/credit_notes',
  fields({ ...pageParams, created: createdParam, customer: text(255), invoice: text(255) }),
  async ({ store }, params) => {
    const matching = { customer: params.customer, invoice: params.invoice }
    return asList(await store.list('credit_note', listQuery(params, matching)), '/v1/credit_notes')
  },
)

const lines = route(
  'GET /v1/credit_notes/:id/lines',
  fields(pageParams),
  async ({ store }, params, id) => {
    const { data, url } = (await store.retrieve('credit_note', id)).lines
    return pageOf(data, params, url)
  },
)

// Only a credit note of an open invoice can be voided. Such a credit note returned no money to the customer, so the
// voided amount is due again.
const voidNote = route('POST /v1/credit_notes/:id/void', fields({}), async (call, _params, id) => {
  const { store, now, emit } = call
  const found = await store.retrieve('credit_note', id)
  const invoice = await store.lock('invoice', idOf(found.invoice))
  const note = await store.lock('credit_note', id)
  if (note.status !== 'issued') throw invalidRequest('The credit note is already void.')
  if (invoice.status !== 'open') {
    throw invalidRequest(
      `You can only void a credit note of an open invoice. This invoice is ${String(invoice.status)}.`,
    )
  }
  const voided = await store.save({ ...note, status: 'void' as const, voided_at: now })
  await emit('credit_note.voided', voided)
  const restored = withCreditNote(invoice, -note.pre_payment_amount, 0)
  await emit('invoice.updated', await store.save(restored))
  return voided
})

export const creditNoteRoutes = [create, lines, list, retrieve, voidNote]
