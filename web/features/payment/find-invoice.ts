import * as z from 'zod/mini'
import { type FoundInvoice, lookupInvoiceResponse } from '#contracts/invoice-lookup.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { postJson } from '#web/lib/api.ts'
import { lookupFailure } from './lookup-failure.ts'

export type Found = { readonly invoice: FoundInvoice; readonly isTestMode: boolean }

/** What was typed; no address where the shop does not ask for one. */
export type LookupWish = { readonly invoiceNumber: string; readonly customerEmail?: string }

/** Looks an invoice up; a refusal is the message to show. */
export async function findInvoice(wish: LookupWish): Promise<Result<Found, string>> {
  const reply = await postJson('/api/invoice/lookup', wish)
  if (reply.kind === 'json' && reply.httpOk) {
    const found = z.safeParse(lookupInvoiceResponse, reply.body)
    if (found.success) {
      return accepted({ invoice: found.data.invoice, isTestMode: found.data.testMode ?? false })
    }
  }
  return refused(lookupFailure(reply))
}
