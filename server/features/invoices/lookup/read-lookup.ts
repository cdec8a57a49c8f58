import type { ErrorCode } from '#contracts/api/errors.ts'
import {
  invoiceNumberPattern,
  type LookupInvoiceRequest,
} from '#contracts/invoices/invoice-lookup.ts'
import { accepted, refused, type Result } from '#domain/result.ts'

/** Which invoice somebody means. */
export type InvoiceLookup = {
  readonly number: string
  /** In lower case; undefined where the number is enough. */
  readonly email: string | undefined
}

/** What was typed, without stray spaces; a word processor's dashes count as hyphens. */
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

/** An address as it is compared. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase()
}
