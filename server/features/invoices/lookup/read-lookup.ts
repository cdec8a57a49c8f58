import type { ErrorCode } from '#contracts/api/errors.ts'
import {
  invoiceNumberPattern,
  type LookupInvoiceRequest,
} from '#contracts/invoices/invoice-lookup.ts'
import { accepted, refused, type Result } from '#domain/result.ts'

/** The input of an invoice lookup. */
export type InvoiceLookup = {
  readonly number: string
  /** The email address in lower case; undefined when the shop does not require it. */
  readonly email: string | undefined
}

/** Normalizes the input of an invoice lookup: removes surplus spaces, and converts typographic dashes to hyphens. */
export function readLookup(
  request: LookupInvoiceRequest,
  requiresEmail: boolean,
): Result<InvoiceLookup, ErrorCode> {
  const number = request.invoiceNumber.trim().replaceAll(/\s*[-\u2010-\u2015\u2212]\s*/g, '-')
  if (!invoiceNumberPattern.test(number)) return refused('INVALID_INPUT')
  if (!requiresEmail) return accepted({ number, email: undefined })
  const email = normalizeEmail(request.customerEmail ?? '')
  return email === '' ? refused('EMAIL_NEEDED') : accepted({ number, email })
}

/**
 * Removes surrounding spaces and converts an email address to lower case, so that two spellings of one address are
 * equal.
 */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase()
}
