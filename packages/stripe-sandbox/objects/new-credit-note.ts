import type { WireCreditNote, WireCreditNoteLine } from './wire.ts'
import { newId, randomText } from './new-id.ts'

type Chosen = Pick<
  WireCreditNote,
  | 'created'
  | 'currency'
  | 'customer'
  | 'invoice'
  | 'number'
  | 'post_payment_amount'
  | 'pre_payment_amount'
  | 'subtotal'
  | 'total'
  | 'type'
> &
  Partial<WireCreditNote> & { readonly items: WireCreditNoteLine[] }

/** Creates an issued credit note with all fields of the API. */
export function newCreditNote({ items, ...chosen }: Chosen): WireCreditNote {
  const id = newId('cn')
  return {
    id,
    object: 'credit_note',
    amount: chosen.total,
    amount_shipping: 0,
    customer_account: null,
    customer_balance_transaction: null,
    discount_amount: 0,
    discount_amounts: [],
    effective_at: chosen.created,
    lines: { object: 'list', data: items, has_more: false, url: `/v1/credit_notes/${id}/lines` },
    livemode: false,
    memo: null,
    metadata: {},
    out_of_band_amount: null,
    pdf: `/sandbox/credit-note/${randomText(48)}/pdf`,
    pretax_credit_amounts: [],
    reason: null,
    refunds: [],
    shipping_cost: null,
    status: 'issued',
    subtotal_excluding_tax: null,
    total_excluding_tax: null,
    total_taxes: null,
    voided_at: null,
    ...chosen,
  }
}

type ChosenLine = Pick<WireCreditNoteLine, 'amount' | 'description' | 'type'> &
  Partial<WireCreditNoteLine>

/** Creates one line of a credit note, with all fields of the API. */
export function newCreditNoteLine(chosen: ChosenLine): WireCreditNoteLine {
  return {
    id: newId('cnli'),
    object: 'credit_note_line_item',
    discount_amount: 0,
    discount_amounts: [],
    livemode: false,
    metadata: {},
    pretax_credit_amounts: [],
    quantity: null,
    tax_rates: [],
    taxes: [],
    unit_amount: null,
    unit_amount_decimal: null,
    ...chosen,
  }
}
