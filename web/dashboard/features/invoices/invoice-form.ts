import type { InvoicePrefill } from '#contracts/invoices/invoice-prefill.ts'
import {
  coerceDueDays,
  coerceQuantity,
  defaultDueDays,
  invoiceTotalCents,
  validInvoiceLines,
} from '#domain/invoices/invoice-lines.ts'
import { centsToDollars } from '#domain/money/money.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import type { InvoiceOrder } from './invoices-api.ts'

export type FormLine = {
  /** The React key of the row. */
  readonly key: number
  readonly description: string
  readonly amount: string
  readonly quantity: string
}

export type InvoiceForm = {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly lines: readonly FormLine[]
  readonly memo: string
  readonly dueDays: string
  readonly sendEmail: boolean
}

/** The maximum length of each text field of the form, in characters. */
export const invoiceFieldLimits = {
  name: 200,
  email: 254,
  phone: 20,
  memo: 500,
  dueDays: 4,
} as const

let lastKey = 0

export function emptyLine(description = ''): FormLine {
  lastKey += 1
  return { key: lastKey, description, amount: '', quantity: '1' }
}

export function emptyInvoiceForm(prefill?: InvoicePrefill): InvoiceForm {
  return {
    name: prefill?.name ?? '',
    email: prefill?.email ?? '',
    phone: prefill?.phone ?? '',
    lines: [emptyLine(prefill?.description)],
    memo: prefill?.memo ?? '',
    dueDays: String(defaultDueDays),
    sendEmail: true,
  }
}

type InvoiceRefusal = {
  readonly title: string
  readonly message: string
  readonly fields: readonly ('email' | 'lines' | 'name')[]
}

/**
 * Returns the invoice to create, or the first error of the form (docs/product.md 5.7). An invoice that staff print
 * needs no email address (17.11).
 */
export function checkInvoiceForm(
  form: InvoiceForm,
  isForPrint = false,
): Result<InvoiceOrder, InvoiceRefusal> {
  if (isForPrint && form.name.trim() === '') {
    return refused({
      title: 'Missing Name',
      message: 'A printed invoice needs the customer name.',
      fields: ['name'],
    })
  }
  if (!isForPrint && form.email.trim() === '') {
    return refused({
      title: 'Missing Email',
      message: 'Customer email is required.',
      fields: ['email'],
    })
  }
  const lines = validInvoiceLines(form.lines)
  if (lines.length === 0) {
    return refused({
      title: 'Add Line Items',
      message: 'Please add at least one valid line item.',
      fields: ['lines'],
    })
  }
  return accepted({
    customer: { name: form.name.trim(), email: form.email.trim(), phone: form.phone.trim() },
    lineItems: lines.map(({ description, amountCents, quantity }) => ({
      description,
      amount: centsToDollars(amountCents),
      quantity,
    })),
    memo: form.memo.trim(),
    dueDays: coerceDueDays(form.dueDays),
    sendEmail: form.sendEmail && !isForPrint,
    ...(isForPrint && { isForPrint }),
    currency: 'usd',
  })
}

/** Whether a line has input but is incomplete, so that the invoice leaves out the line. */
export function isOmitted(line: FormLine): boolean {
  const isTouched = line.description.trim() !== '' || line.amount.trim() !== ''
  return isTouched && validInvoiceLines([line]).length === 0
}

/** The total of the valid lines, in cents. */
export function totalCents(form: InvoiceForm): number {
  return invoiceTotalCents(validInvoiceLines(form.lines))
}

/** Returns the line with its quantity changed to a whole number of at least 1. */
export function coerceLineQuantity(line: FormLine): FormLine {
  return { ...line, quantity: String(coerceQuantity(line.quantity)) }
}
