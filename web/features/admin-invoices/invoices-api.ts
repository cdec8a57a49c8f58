import * as z from 'zod/mini'
import {
  type AdminInvoice,
  createInvoiceResponse,
  type CreateInvoiceResponse,
  listInvoicesResponse,
} from '#contracts/invoices.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { type ApiReply, getJson, postJson } from '#web/lib/api.ts'
import { sessionRefused } from '#web/lib/session-renewal.ts'

/** How many invoices the list shows at most (specification, section 9). */
const LIST_LIMIT = 25

/** What POST /api/invoice/create is sent (specification, section 7). */
export type InvoiceOrder = {
  readonly customer: { readonly name: string; readonly email: string; readonly phone: string }
  readonly lineItems: readonly {
    readonly description: string
    readonly amount: string
    readonly quantity: number
  }[]
  readonly memo: string
  readonly dueDays: number
  readonly sendEmail: boolean
  readonly currency: 'usd'
}

/** Creates an invoice; a refusal is the server's words, if it had any. */
export async function createInvoice(
  order: InvoiceOrder,
): Promise<Result<CreateInvoiceResponse, string | undefined>> {
  const reply = await withSession(() => postJson('/api/invoice/create', order))
  if (reply.kind !== 'json') return refused(undefined)
  const created = z.safeParse(createInvoiceResponse, reply.body)
  return created.success ? accepted(created.data) : refused(messageOf(reply.body))
}

/** The invoices of the last `days` days, newest first. */
export async function listInvoices(days: number): Promise<AdminInvoice[]> {
  const reply = await withSession(() =>
    getJson(`/api/invoice/list?limit=${LIST_LIMIT}&days=${days}`),
  )
  if (reply.kind !== 'json') throw new Error('The invoice list could not be read.')
  return z.parse(listInvoicesResponse, reply.body).invoices
}

async function withSession(call: () => Promise<ApiReply>): Promise<ApiReply> {
  const reply = await call()
  const isRefused = reply.kind !== 'unreachable' && reply.status === 401
  return isRefused && (await sessionRefused()) ? call() : reply
}

function messageOf(body: unknown): string | undefined {
  const known = z.safeParse(z.object({ message: z.string().check(z.minLength(1)) }), body)
  return known.success ? known.data.message : undefined
}
