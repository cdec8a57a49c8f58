import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerOf, openCheckout, openInvoice, paymentOf } from './testing/payments.ts'
import { openTestSandbox, type TestSandbox } from './testing/test-sandbox.ts'

let sandbox: TestSandbox
let stripe: Stripe
beforeAll(async () => {
  sandbox = await openTestSandbox()
  stripe = sandbox.stripe
})
afterAll(() => sandbox.close())

/** Sends a request without the SDK, because the SDK would not send these invalid parameters. */
async function sendRaw(
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
) {
  const response = await sandbox.sandbox.fetch(`https://api.stripe.com${path}`, {
    method,
    headers: {
      authorization: 'Bearer sk_test_raw',
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  }
}

describe('an invalid request', () => {
  const invalidRequests: [
    problem: string,
    method: string,
    path: string,
    body: string | undefined,
    status: number,
    error: object,
  ][] = [
    [
      'an unknown parameter',
      'POST',
      '/v1/customers',
      'emial=a%40b.c',
      400,
      { code: 'parameter_unknown', param: 'emial' },
    ],
    [
      'an unknown nested parameter',
      'POST',
      '/v1/checkout/sessions',
      'adaptive_pricing[on]=true',
      400,
      { code: 'parameter_unknown', param: 'adaptive_pricing[on]' },
    ],
    [
      'a missing parameter',
      'POST',
      '/v1/invoices',
      'currency=usd',
      400,
      { code: 'parameter_missing', param: 'customer' },
    ],
    [
      'an empty value',
      'POST',
      '/v1/customers',
      'email=',
      400,
      { code: 'parameter_invalid_empty', param: 'email' },
    ],
    [
      'a limit over 100',
      'GET',
      '/v1/invoices?limit=101',
      undefined,
      400,
      { code: 'parameter_invalid_integer', param: 'limit' },
    ],
    [
      'an unknown status',
      'GET',
      '/v1/invoices?status=settled',
      undefined,
      400,
      { param: 'status' },
    ],
    [
      'a parameter name without its closing bracket',
      'POST',
      '/v1/customers',
      'metadata[a=1',
      400,
      { type: 'invalid_request_error' },
    ],
    [
      'parameters nested more than six levels deep',
      'POST',
      '/v1/customers',
      'metadata[a][b][c][d][e][f][g]=1',
      400,
      { type: 'invalid_request_error' },
    ],
    [
      'the parameter name __proto__',
      'POST',
      '/v1/customers',
      '__proto__[a]=1',
      400,
      { code: 'parameter_unknown' },
    ],
    ['a NUL character in a value', 'POST', '/v1/customers', 'name=a%00b', 400, { param: 'name' }],
    [
      'the id of an object that does not exist',
      'GET',
      '/v1/invoices/in_missing',
      undefined,
      404,
      { code: 'resource_missing', param: 'id' },
    ],
    [
      'the id of an object of another kind',
      'GET',
      '/v1/charges/in_missing',
      undefined,
      404,
      { code: 'resource_missing' },
    ],
    [
      'a parameter with the id of an unknown object',
      'POST',
      '/v1/invoices',
      'customer=cus_missing',
      400,
      { code: 'resource_missing', param: 'customer' },
    ],
    [
      'an unknown path',
      'GET',
      '/v1/subscriptions',
      undefined,
      404,
      { type: 'invalid_request_error' },
    ],
    [
      'an unknown list cursor',
      'GET',
      '/v1/invoices?starting_after=in_missing',
      undefined,
      400,
      { code: 'resource_missing' },
    ],
    [
      'an unsupported search query',
      'GET',
      "/v1/invoices/search?query=number~'ACME'",
      undefined,
      400,
      { param: 'query' },
    ],
    [
      'an expand path to a field that contains no object',
      'GET',
      '/v1/invoices?expand[]=data.number.x',
      undefined,
      400,
      { param: 'expand' },
    ],
  ]
  it.each(invalidRequests)(
    'with %s gets an error in the format of the API',
    async (_problem, method, path, body, status, error) => {
      await openInvoice(stripe)
      const response = await sendRaw(method, path, body)
      expect(response).toMatchObject({ status, body: { error } })
      expect(response.body['error']).toHaveProperty('message')
      expect(response.headers.get('request-id')).toMatch(/^req_/)
    },
  )

  it.each(['', 'Bearer', 'Bearer sk_live_abcdef', 'Basic c2s6'])(
    'gets status 401 for the authorization header %j',
    async (authorization) => {
      const response = await sendRaw('GET', '/v1/invoices', undefined, { authorization })
      expect(response).toMatchObject({
        status: 401,
        body: { error: { type: 'invalid_request_error' } },
      })
    },
  )

  it("makes the SDK throw the SDK's own error classes", async () => {
    await expect(stripe.invoices.retrieve('in_missing')).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      code: 'resource_missing',
      statusCode: 404,
    })
    const live = new Stripe('sk_live_x1234', {
      httpClient: Stripe.createFetchHttpClient(sandbox.sandbox.fetch),
    })
    await expect(live.invoices.list()).rejects.toBeInstanceOf(
      Stripe.errors.StripeAuthenticationError,
    )
  })
})

describe('creating a Checkout Session fails', () => {
  it.each([
    ['for a total below 50 cents', { cents: 49 }, 'amount_too_small'],
    ['for a total above $999,999.99', { cents: 99_999_999, quantity: 2 }, 'amount_too_large'],
    [
      'with a success URL that is not http(s)',
      { success_url: 'javascript:alert(1)' },
      'url_invalid',
    ],
    ['without a success URL', { success_url: undefined }, 'parameter_missing'],
    ['with an expiry in one minute', { expires_at: 60 }, undefined],
    ['with an expiry in two days', { expires_at: 48 * 3600 }, undefined],
  ])('%s', async (_problem, invalid, code) => {
    const { cents = 1000, quantity = 1, expires_at, ...rest } = invalid as Record<string, number>
    const now = Math.floor(sandbox.clock.now / 1000)
    const created = stripe.checkout.sessions.create({
      mode: 'payment',
      success_url: 'https://shop.test/done',
      line_items: [
        {
          quantity,
          price_data: { currency: 'usd', unit_amount: cents, product_data: { name: 'Invoice' } },
        },
      ],
      ...(expires_at === undefined ? {} : { expires_at: now + expires_at }),
      ...(rest as { success_url?: string }),
    })
    await expect(created).rejects.toMatchObject({ statusCode: 400, code })
  })
})

describe('an idempotency key', () => {
  it('makes a repeated request return the first response', async () => {
    const create = () =>
      sendRaw('POST', '/v1/customers', 'email=dana%40b.c', { 'idempotency-key': 'dana' })
    const first = await create()
    const again = await create()
    expect(again.body).toEqual(first.body)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  it('is refused for a request with other parameters or another path', async () => {
    const options = { idempotencyKey: 'one-use' }
    await stripe.customers.create({ email: 'dana@example.com' }, options)
    const other = stripe.customers.create({ email: 'eve@example.com' }, options)
    await expect(other).rejects.toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 })
    const elsewhere = stripe.refunds.create({ charge: 'ch_1' }, options)
    await expect(elsewhere).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
  })

  it('makes ten concurrent requests create one customer', async () => {
    const create = () =>
      stripe.customers.create({ email: 'ten@example.com' }, { idempotencyKey: 'ten' })
    const customers = await Promise.all(Array.from({ length: 10 }, create))
    expect(new Set(customers.map(({ id }) => id)).size).toBe(1)
    expect((await stripe.customers.list({ email: 'ten@example.com' })).data).toHaveLength(1)
  })

  it('makes a repeated request return the first error, except after a parameter error: the key then accepts corrected parameters', async () => {
    const invoice = await openInvoice(stripe)
    const finalize = () =>
      stripe.invoices.finalizeInvoice(invoice.id, {}, { idempotencyKey: 'finalize-again' })
    await expect(finalize()).rejects.toMatchObject({ code: 'invoice_not_editable' })
    await expect(finalize()).rejects.toMatchObject({
      code: 'invoice_not_editable',
      headers: { 'idempotent-replayed': 'true' },
    })

    const key = { 'idempotency-key': 'misspelled-parameter' }
    expect((await sendRaw('POST', '/v1/customers', 'emial=x', key)).status).toBe(400)
    expect((await sendRaw('POST', '/v1/customers', 'email=a%40b.c', key)).status).toBe(200)
  })

  it('can be used for a new request after 24 hours', async () => {
    const create = () =>
      stripe.customers.create({ email: 'day@example.com' }, { idempotencyKey: 'a-day' })
    const first = await create()
    sandbox.clock.now += 24 * 3600 * 1000 + 1000
    expect((await create()).id).not.toBe(first.id)
  })
})

describe('a list', () => {
  it('returns all invoices in pages in both directions, newest first', async () => {
    const email = { customer: (await stripe.customers.create({ email: 'many@example.com' })).id }
    const made: string[] = []
    for (let count = 0; count < 7; count += 1) {
      sandbox.clock.now += 1000
      made.unshift((await stripe.invoices.create({ ...email, currency: 'usd' })).id)
    }
    const pages = await stripe.invoices
      .list({ ...email, limit: 3 })
      .autoPagingToArray({ limit: 100 })
    expect(pages.map(({ id }) => id)).toEqual(made)
    const before = await stripe.invoices.list({ ...email, limit: 2, ending_before: made[4] ?? '' })
    expect(before).toMatchObject({ has_more: true, data: [{ id: made[2] }, { id: made[3] }] })
    const since = Math.floor(sandbox.clock.now / 1000) - 2
    expect((await stripe.invoices.list({ ...email, created: { gte: since } })).data).toHaveLength(3)
    expect((await stripe.invoices.list({ ...email, created: { gt: since } })).data).toHaveLength(2)
  })

  it('of customers can be filtered by email address, but not by a part of an email address', async () => {
    await stripe.customers.create({ email: 'exact@example.com' })
    expect((await stripe.customers.list({ email: 'exact@example.com' })).data).toHaveLength(1)
    expect((await stripe.customers.list({ email: 'exact' })).data).toHaveLength(0)
  })

  it('of invoices can be searched by number and by metadata', async () => {
    const invoice = await openInvoice(stripe)
    await stripe.invoices.update(invoice.id, { metadata: { shelf: '4' } })
    const byNumber = await stripe.invoices.search({ query: `number:"${invoice.number ?? ''}"` })
    expect(byNumber.data.map(({ id }) => id)).toEqual([invoice.id])
    const inLowerCase = `number:"${(invoice.number ?? '').toLowerCase()}"`
    expect((await stripe.invoices.search({ query: inLowerCase })).data).toEqual(byNumber.data)
    const byMetadata = await stripe.invoices.search({
      query: `status:"open" AND metadata["shelf"]:"4"`,
    })
    expect(byMetadata.data.map(({ id }) => id)).toEqual([invoice.id])
    expect((await stripe.invoices.search({ query: 'number:"ACME-9999"' })).data).toEqual([])
  })

  it('of invoices contains no custom invoice number twice', async () => {
    const { id: customer } = await stripe.customers.create({ email: 'numbered@example.com' })
    const make = (number: string) => stripe.invoices.create({ customer, currency: 'usd', number })
    const draft = await make('INV-2026-0001-7K3QXR')
    expect(draft.number).toBe('INV-2026-0001-7K3QXR')
    const refusal = { statusCode: 400, param: 'number' }
    for (const invalid of ['INV-2026-0001-7K3QXR', 'INV 1', 'INV/1', 'Ä-1', 'x'.repeat(27)]) {
      await expect(make(invalid)).rejects.toMatchObject(refusal)
    }
    const twice = await Promise.allSettled([make('TWICE-1'), make('TWICE-1')])
    expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const same = await stripe.invoices.update(draft.id, { number: 'INV-2026-0001-7K3QXR' })
    expect(same.number).toBe('INV-2026-0001-7K3QXR')
    const other = await make('INV-2026-0002-BCDFGH')
    const reuse = stripe.invoices.update(other.id, { number: 'INV-2026-0001-7K3QXR' })
    await expect(reuse).rejects.toMatchObject(refusal)
    expect((await stripe.invoices.update(other.id, { number: '' })).number).toBeNull()
    await stripe.invoices.del(draft.id)
    expect((await stripe.invoices.update(other.id, { number: draft.number })).number).toBe(
      draft.number,
    )
    const open = await openInvoice(stripe)
    await expect(stripe.invoices.update(open.id, { number: 'LATE-1' })).rejects.toMatchObject({
      code: 'invoice_not_editable',
    })
  })

  it('of invoice lines contains the first ten lines inside an invoice, and all lines at the endpoint for lines', async () => {
    const { id: customer } = await stripe.customers.create({ email: 'long@example.com' })
    const { id: invoice } = await stripe.invoices.create({ customer, currency: 'usd' })
    for (let line = 0; line < 12; line += 1) {
      await stripe.invoiceItems.create({ customer, invoice, amount: 100 + line, currency: 'usd' })
    }
    const read = await stripe.invoices.retrieve(invoice)
    expect(read).toMatchObject({ total: 1266, lines: { has_more: true } })
    expect(read.lines.data).toHaveLength(10)
    const all = await stripe.invoices
      .listLineItems(invoice, { limit: 5 })
      .autoPagingToArray({ limit: 50 })
    expect(all.map(({ amount }) => amount)).toEqual(
      Array.from({ length: 12 }, (_, line) => 100 + line),
    )
  })
})

describe('expand', () => {
  it('replaces ids by objects at up to four levels, including ids in lists', async () => {
    const invoice = await openInvoice(stripe)
    const session = await openCheckout(stripe, invoice)
    await sandbox.submitCard(session.url ?? '')
    const read = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ['line_items', 'payment_intent.latest_charge.customer', 'customer'],
    })
    expect(read).toMatchObject({
      customer: { object: 'customer', id: customerOf(invoice) },
      line_items: { data: [{ object: 'item', amount_total: 54_950 }] },
      payment_intent: { latest_charge: { object: 'charge', customer: { object: 'customer' } } },
    })
    const list = await stripe.charges.list({
      payment_intent: await paymentOf(stripe, session),
      expand: ['data.payment_intent'],
    })
    expect(list.data).toMatchObject([{ payment_intent: { object: 'payment_intent' } }])
    const tooDeep = stripe.charges.list({
      expand: ['data.payment_intent.latest_charge.payment_intent.customer'],
    })
    await expect(tooDeep).rejects.toMatchObject({ statusCode: 400, param: 'expand' })
  })

  it('adds line items and invoice payments, which a response otherwise omits', async () => {
    const invoice = await openInvoice(stripe)
    const session = await openCheckout(stripe, invoice)
    expect(session).not.toHaveProperty('line_items')
    expect((await stripe.checkout.sessions.listLineItems(session.id)).data).toHaveLength(1)
    const read = await stripe.invoices.retrieve(invoice.id, { expand: ['payments'] })
    expect(read.payments?.data).toMatchObject([
      { is_default: true, status: 'open', amount_requested: 54_950 },
    ])
  })
})

describe('an update of metadata', () => {
  it('merges the keys; a key with an empty value is removed', async () => {
    const { id } = await stripe.customers.create({
      email: 'meta@example.com',
      metadata: { a: '1', b: '2' },
    })
    const changed = await stripe.customers.update(id, { metadata: { b: '', c: '3' } })
    expect(changed.metadata).toEqual({ a: '1', c: '3' })
    expect((await stripe.customers.update(id, { metadata: '' })).metadata).toEqual({})
  })
})

describe('the amount of an invoice item', () => {
  it.each([
    ['1999', 3, 5997],
    ['0.5', 1, 1],
    ['0.4', 1, 0],
    ['33.333333333333', 3, 100],
    ['-1050', 2, -2100],
  ])('is a unit price of %s cents times %i, rounded to %i cents', async (unit, quantity, cents) => {
    const { id: customer } = await stripe.customers.create({ email: 'cents@example.com' })
    const item = await stripe.invoiceItems.create({
      customer,
      currency: 'usd',
      quantity,
      unit_amount_decimal: Stripe.Decimal.from(unit),
    })
    expect(item.amount).toBe(cents)
    expect(item.pricing?.unit_amount_decimal?.toString()).toBe(unit)
  })
})
