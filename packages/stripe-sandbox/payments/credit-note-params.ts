import {
  decimal,
  fields,
  integer,
  listOf,
  metadata,
  object,
  oneOf,
  type ParamsOf,
  type Reader,
  required,
  text,
} from '../api/params.ts'

const maxLines = 250
const maxTaxesOfLine = 20
const maxRefunds = 20
const cents = () => integer(0, 99_999_999)

const taxFields = {
  amount: required(integer(-99_999_999, 99_999_999)),
  tax_rate: required(text(255)),
  taxable_amount: required(integer(-99_999_999, 99_999_999)),
}

const lineFields = {
  amount: integer(-99_999_999, 99_999_999),
  description: text(),
  invoice_line_item: text(255),
  metadata: metadata(),
  quantity: integer(1, 1_000_000),
  tax_amounts: orEmpty(listOf(object(taxFields), maxTaxesOfLine)),
  type: required(oneOf('custom_line_item', 'invoice_line_item')),
  unit_amount: cents(),
  unit_amount_decimal: decimal(),
}

const refundFields = {
  amount_refunded: integer(1, 99_999_999),
  payment_record_refund: object({
    payment_record: required(text(255)),
    refund_group: required(text(255)),
  }),
  refund: text(255),
  type: oneOf('payment_record_refund', 'refund'),
}

/**
 * Parses the parameters of a new credit note. `email_type` has no effect, because the sandbox sends no email, like
 * Stripe in test mode.
 */
export const readCreditNoteParams = fields({
  amount: integer(1, 99_999_999),
  credit_amount: cents(),
  effective_at: integer(0),
  email_type: oneOf('credit_note', 'none'),
  invoice: required(text(255)),
  lines: listOf(object(lineFields), maxLines),
  memo: text(),
  metadata: metadata(),
  out_of_band_amount: cents(),
  reason: oneOf('duplicate', 'fraudulent', 'order_change', 'product_unsatisfactory'),
  refund_amount: cents(),
  refunds: listOf(object(refundFields), maxRefunds),
})

export type CreditNoteParams = ReturnType<typeof readCreditNoteParams>
export type CreditNoteLineParams = ParamsOf<typeof lineFields>
export type CreditNoteTaxParams = ParamsOf<typeof taxFields>
export type LinkedRefundParams = ParamsOf<typeof refundFields>

/** Parses an empty value as an empty list. */
function orEmpty<Item>(reader: Reader<Item[] | undefined>): Reader<Item[] | undefined> {
  return (value, name) => (value === '' ? [] : reader(value, name))
}
