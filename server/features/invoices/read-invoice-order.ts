import type { ErrorCode } from '#contracts/api/errors.ts'
import { type CreateInvoiceRequest, invoiceLimits } from '#contracts/invoices/invoices.ts'
import {
  coerceDueDays,
  type InvoiceLine,
  invoiceTotalCents,
  validInvoiceLines,
} from '#domain/invoices/invoice-lines.ts'
import { maximumCents } from '#domain/money/money.ts'
import { accepted, refused, type Result } from '#domain/result.ts'

/** A validated invoice to create, in whole cents. */
export type InvoiceOrder = {
  /** The customer of the invoice. The email address is empty for an invoice that is printed instead of emailed. */
  readonly customer: { readonly name: string; readonly email: string; readonly phone: string }
  readonly lines: readonly InvoiceLine[]
  readonly memo: string
  readonly dueDays: number
}

export type OrderRefusal = { readonly code: ErrorCode; readonly message?: string }

const emailPattern = /^[^\s@<>,;"]+@[^\s@<>,;"]+$/
const largestQuantity = 10_000

/**
 * Validates an invoice to create as docs/product.md 5.7 requires. Also refuses fractions of a cent and amounts above
 * the maximum.
 */
export function readInvoiceOrder(
  request: CreateInvoiceRequest,
): Result<InvoiceOrder, OrderRefusal> {
  const customer = {
    name: (request.customer.name ?? '').replaceAll(/\s+/g, ' '),
    email: request.customer.email ?? '',
    phone: request.customer.phone ?? '',
  }
  const isForPrint = request.isForPrint === true
  if (isForPrint && customer.name === '') {
    return invalid('Please enter the customer name, which a printed invoice requires.')
  }
  if (isForPrint && customer.email !== '') {
    return invalid(
      'An invoice for print cannot have a customer email. Please remove the email address or choose to email the invoice.',
    )
  }
  if (!isForPrint && customer.email === '') return refused({ code: 'MISSING_EMAIL' })
  if (!isForPrint && !emailPattern.test(customer.email)) {
    return invalid('Please check the customer email: it does not look like an address.')
  }
  if (request.lineItems.some((line) => hasFractionOfCent(line.amount))) {
    return invalid('Please check the amounts: each may have at most two decimals.')
  }
  const lines = validInvoiceLines(request.lineItems)
  if (lines.length === 0) return refused({ code: 'NO_LINE_ITEMS' })
  if (lines.some((line) => line.quantity > largestQuantity)) {
    return invalid(
      `Please check the quantities: each may be at most ${largestQuantity.toLocaleString('en-US')}.`,
    )
  }
  if (invoiceTotalCents(lines) > maximumCents) {
    return invalid('Please check the amounts: an invoice can be for at most $999,999.99.')
  }
  const dueDays = Math.min(coerceDueDays(request.dueDays), invoiceLimits.dueDays)
  return accepted({ customer, lines, memo: request.memo ?? '', dueDays })
}

/**
 * Whether an amount contains a fraction of a cent, such as '19.999' or the number 0.1 + 0.2. Rounding would change the
 * amount that staff typed.
 */
function hasFractionOfCent(amount: string | number | null | undefined): boolean {
  return /\.\d\d0*[1-9]/.test(String(amount ?? '')) || /e-/i.test(String(amount ?? ''))
}

function invalid(message: string): Result<never, OrderRefusal> {
  return refused({ code: 'INVALID_INVOICE', message })
}
