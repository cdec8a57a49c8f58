import { describe, expect, test } from 'vitest'
import { ApiError } from '#web/lib/data/call-api.ts'
import { lookupFailure } from './lookup-failure.ts'
import { checkoutFailure } from './open-checkout.ts'
import { verificationFailure } from './verify-payment.ts'

const json = (body: unknown, status = 200, statusText = 'OK') =>
  new ApiError({ httpOk: status < 400, status, statusText, body })
const page = (status: number) =>
  new ApiError({
    httpOk: status < 400,
    status,
    statusText: '',
    body: undefined,
  })
const noResponse = new ApiError({
  httpOk: false,
  status: 0,
  statusText: '',
  body: undefined,
})

describe('a failed invoice lookup', () => {
  test.each([
    ['INVALID_INPUT', 'Please enter a valid invoice number.'],
    ['NOT_FOUND', 'Invoice not found.'],
    ['AMBIGUOUS', 'Multiple invoices match that number.'],
    ['UNAUTHORIZED', 'You are not authorized to view this invoice.'],
    ['NOT_FINALIZED', 'This invoice is not finalized yet.'],
    ['ALREADY_PAID', 'This invoice has already been paid.'],
    ['NO_PAY_URL', 'Payment link is not available.'],
    ['NETWORK_ERROR', 'Network error, please try again.'],
    [
      'STRIPE_ERROR',
      'Unable to retrieve the invoice from our card payment provider. Please try again.',
    ],
  ])(
    'with code %s shows the text for the code instead of the server’s message',
    (code, message) => {
      const body = { ok: false, code, message: 'Words of the server.' }
      for (const reply of [json(body), json(body, 409)]) expect(lookupFailure(reply)).toBe(message)
    },
  )

  test.each(['RATE_LIMITED', 'BAD_REQUEST', 'toString', undefined, 7])(
    'with an unknown code (%s) shows the server’s message',
    (code) => {
      const reply = json({ ok: false, code, message: 'Wait four minutes.' }, 429)
      expect(lookupFailure(reply)).toBe('Wait four minutes.')
    },
  )

  test('shows the HTTP status if the response has neither a code nor a message', () => {
    expect(lookupFailure(json({ ok: false }, 503, 'Service Unavailable'))).toBe(
      '503 Service Unavailable',
    )
    // An HTTP/2 response has no status text, so the message must not depend on a status text.
    expect(lookupFailure(json({ ok: false, message: '' }, 503, ''))).toBe('503')
    expect(lookupFailure(json(null, 500, 'Oops'))).toBe('500 Oops')
  })

  test('shows an unknown error when the status is 200 and the body has no message', () => {
    expect(lookupFailure(json({ ok: false }))).toBe('Unknown error')
    expect(lookupFailure(json({ ok: true }))).toBe('Unknown error')
  })

  test.each([page(200), page(502), noResponse])(
    'shows a network error for the reply %j',
    (reply) => {
      expect(lookupFailure(reply)).toBe('Network error, please try again.')
    },
  )
})

describe('a failed checkout', () => {
  test('shows the server’s message, or a default text of the page', () => {
    expect(checkoutFailure(json({ ok: false, message: 'Not now.' }, 409))).toBe('Not now.')
    expect(checkoutFailure(json({ ok: false }, 500))).toBe('Failed to create checkout session')
    expect(checkoutFailure(json({ ok: true, checkout: {} }))).toBe(
      'Failed to create checkout session',
    )
    for (const reply of [page(502), noResponse]) {
      expect(checkoutFailure(reply)).toBe('Unable to create checkout session')
    }
  })
})

describe('a failed payment verification', () => {
  test('shows the server’s message, or a default text of the page', () => {
    expect(verificationFailure(json({ ok: false, message: 'Not yours.' }, 404))).toBe('Not yours.')
    expect(verificationFailure(json({ ok: false }))).toBe('Failed to verify payment')
    for (const reply of [page(200), noResponse]) {
      expect(verificationFailure(reply)).toBe('Unable to verify payment status')
    }
  })
})
