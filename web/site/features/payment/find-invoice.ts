import { type FoundInvoice, lookupInvoiceEndpoint } from '#contracts/invoices/invoice-lookup.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { callApi } from '#web/lib/data/call-api.ts'
import { lookupFailure } from './lookup-failure.ts'

export type LookupResult = { readonly invoice: FoundInvoice; readonly isTestMode: boolean }

/**
 * The input of the form that finds an invoice. `customerEmail` is absent if the shop does not require the email
 * address.
 */
export type LookupInput = { readonly invoiceNumber: string; readonly customerEmail?: string }

/** Finds an invoice. If the server refuses, returns the message that the page shows. */
export async function findInvoice(input: LookupInput): Promise<Result<LookupResult, string>> {
  const found = await callApi(lookupInvoiceEndpoint, input)
  if (!found.ok) return refused(lookupFailure(found.refusal))
  const { invoice, testMode = false } = found.value
  return accepted({ invoice, isTestMode: testMode })
}
