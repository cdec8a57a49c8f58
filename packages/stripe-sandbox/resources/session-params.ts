import { invalidRequest } from '../api/api-error.ts'
import {
  fields,
  flag,
  integer,
  listOf,
  metadata,
  object,
  oneOf,
  required,
  text,
} from '../api/params.ts'
import { newId } from '../objects/new-id.ts'
import { newLineItem } from '../objects/new-session.ts'
import type { WireLineItem } from '../objects/wire.ts'

const cents = () => integer(0, 99_999_999)

const lineItem = object({
  price_data: required(
    object({
      currency: required(text(3)),
      product: text(255),
      product_data: object({
        name: required(text(250)),
        description: text(),
        metadata: metadata(),
      }),
      unit_amount: cents(),
      unit_amount_decimal: integer(0, 99_999_999),
    }),
  ),
  quantity: integer(1, 999_999),
})

/**
 * Parses the supported parameters of a new Checkout Session. The sandbox supports only card payments on the hosted
 * page.
 */
export const readSessionParams = fields({
  adaptive_pricing: object({ enabled: flag() }),
  allowed_payment_method_types: listOf(oneOf('card')),
  cancel_url: text(),
  client_reference_id: text(200),
  currency: text(3),
  customer: text(255),
  customer_creation: oneOf('always', 'if_required'),
  customer_email: text(800),
  expires_at: integer(0),
  invoice_creation: object({ enabled: oneOf('false') }),
  line_items: listOf(lineItem),
  locale: oneOf('auto', 'en'),
  metadata: metadata(),
  mode: oneOf('payment'),
  payment_intent_data: object({
    description: text(1000),
    metadata: metadata(),
    receipt_email: text(512),
  }),
  submit_type: oneOf('auto', 'pay'),
  success_url: text(),
  ui_mode: oneOf('hosted_page'),
})

export type SessionParams = ReturnType<typeof readSessionParams>

/** Creates the line items of a Checkout Session. Throws an ApiError when Stripe would not charge the total. */
export function sessionLines(params: SessionParams, now: number): WireLineItem[] {
  if (params.line_items === undefined) throw missing('line_items')
  const lines = params.line_items.map((line, index) => {
    const { currency, product, product_data, unit_amount, unit_amount_decimal } = line.price_data
    const name = `line_items[${index}][price_data]`
    const unitAmount = unit_amount ?? unit_amount_decimal
    if (unitAmount === undefined) throw missing(`${name}[unit_amount]`)
    if (product_data === undefined && product === undefined) throw missing(`${name}[product_data]`)
    return newLineItem({
      created: now,
      currency: currency.toLowerCase(),
      name: product_data?.name ?? product ?? '',
      product: product ?? newId('prod', 14),
      quantity: line.quantity ?? 1,
      unitAmount,
    })
  })
  requireChargeable(lines)
  return lines
}

// Throws an ApiError when Stripe would refuse the total: amounts in different currencies, or a total outside the limits
// for US dollars (docs.stripe.com/currencies).
function requireChargeable(lines: readonly WireLineItem[]): void {
  const total = lines.reduce((sum, line) => sum + line.amount_total, 0)
  if (new Set(lines.map((line) => line.currency)).size > 1) {
    throw invalidRequest(
      'All line items of a Checkout Session must have the same currency.',
      undefined,
      'line_items',
    )
  }
  if (total < 50) {
    throw invalidRequest(
      "The Checkout Session's total amount due must add up to at least $0.50 usd",
      'amount_too_small',
    )
  }
  if (total > 99_999_999) {
    throw invalidRequest(
      "The Checkout Session's total amount due must be no more than $999,999.99 usd",
      'amount_too_large',
    )
  }
}

/** Returns the expiry of a Checkout Session: 30 minutes to 24 hours after its creation, 24 hours by default. */
export function sessionExpiry(expiresAt: number | undefined, now: number): number {
  if (expiresAt === undefined) return now + 24 * 3600
  if (expiresAt < now + 30 * 60) {
    throw invalidRequest(
      'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.',
      undefined,
      'expires_at',
    )
  }
  if (expiresAt > now + 24 * 3600) {
    throw invalidRequest(
      'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.',
      undefined,
      'expires_at',
    )
  }
  return expiresAt
}

/** Validates an absolute http(s) URL. Returns null when the parameter is undefined. */
export function pageAddress(address: string | undefined, param: string): string | null {
  if (address === undefined) return null
  // The sandbox stores the URL as sent and replaces `{CHECKOUT_SESSION_ID}` in the URL of each redirect.
  const url = URL.parse(address)
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return address
  throw invalidRequest('Not a valid URL', 'url_invalid', param)
}

export function missing(name: string) {
  return invalidRequest(`Missing required param: ${name}.`, 'parameter_missing', name)
}
