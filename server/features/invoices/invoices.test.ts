import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { apiErrors, type ErrorCode } from '#contracts/api/errors.ts'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'

let shop: PaymentApp
beforeAll(async () => {
  shop = await createPaymentApp()
})
afterEach(() => shop.breakCalls(undefined))
afterAll(() => shop.close())

/**
 * Sets the number of an invoice to the number of another invoice. Stripe assigns no number twice, but an account whose
 * numbering was changed can have duplicates.
 */
const renumber = (id: string, number: string) =>
  shop.database.owner.query(
    `update stripe_sandbox.objects set data = jsonb_set(data, '{number}', to_jsonb($2::text)) where id = $1`,
    [id, number],
  )

const lookUp = (invoiceNumber: unknown) => shop.post('/api/invoice/lookup', { invoiceNumber })
const refusal = (code: ErrorCode) => ({
  status: apiErrors[code].status,
  body: { ok: false, code, message: apiErrors[code].message },
})
const create = (change: object) =>
  shop.post('/api/invoice/create', {
    customer: { name: 'Dana', email: 'dana@example.com', phone: '' },
    lineItems: [{ description: 'Oil', amount: '10', quantity: 1 }],
    memo: '',
    dueDays: 7,
    sendEmail: false,
    currency: 'usd',
    ...change,
  })

async function invoiceNumbered(number: string, { finalized = true } = {}): Promise<string> {
  const { stripe } = shop
  const customer = await stripe.customers.create({ email: 'x@example.com' })
  const draft = await stripe.invoices.create({
    customer: customer.id,
    collection_method: 'send_invoice',
    days_until_due: 7,
    currency: 'usd',
    number,
  })
  await stripe.invoiceItems.create({
    customer: customer.id,
    invoice: draft.id,
    amount: 1000,
    currency: 'usd',
    description: 'x',
  })
  if (finalized) await stripe.invoices.finalizeInvoice(draft.id)
  return draft.id
}

describe('looking up an invoice', () => {
  it('finds the invoice by its complete number, even with surrounding spaces or typographic dashes', async () => {
    const { id, number } = await shop.createInvoice()
    const { status, body } = await lookUp(`  ${number}\n`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ok: true, invoice: { id, number } })
    expect(await lookUp(number.slice(0, -1))).toEqual(refusal('NOT_FOUND'))
    expect(await lookUp(number.replaceAll('-', ' – '))).toMatchObject({ body: { invoice: { id } } })
  })

  it('ignores letter case, with as few calls to Stripe as for the exact number', async () => {
    const { id, number } = await shop.createInvoice()
    const mixed = await invoiceNumbered('Paper-7b')
    shop.drainCalls()
    await lookUp(number)
    const usual = shop.drainCalls()
    expect(await lookUp(number.toLowerCase())).toMatchObject({ body: { invoice: { id, number } } })
    expect(shop.drainCalls()).toEqual(usual)
    // The shop's index of invoice numbers does not contain the number, so the lookup uses the sandbox's search, which
    // ignores letter case as Stripe's search does.
    expect(await lookUp('PAPER-7B')).toMatchObject({ body: { invoice: { id: mixed } } })
  })

  it('distinguishes numbers that differ only in letter case when the customer types the exact letter case', async () => {
    const [upper] = [await invoiceNumbered('CASE-1'), await invoiceNumbered('Case-1')]
    expect(await lookUp('CASE-1')).toMatchObject({ status: 200, body: { invoice: { id: upper } } })
    expect(await lookUp('case-1')).toEqual(refusal('AMBIGUOUS'))
  })

  it('refuses malformed numbers without a call to Stripe', async () => {
    shop.drainCalls()
    for (const input of [
      '',
      '   ',
      'a b',
      "x' OR '1'='1",
      'x"',
      '9'.repeat(41),
      7,
      null,
      {},
      ['x'],
    ]) {
      expect(await lookUp(input)).toEqual(refusal('INVALID_INPUT'))
    }
    expect(await shop.post('/api/invoice/lookup', {})).toEqual(refusal('INVALID_INPUT'))
    expect(shop.drainCalls()).toEqual([])
  })

  it('returns NOT_FOUND after the same calls to Stripe for every unknown number', async () => {
    const walks = new Set<string>()
    for (const number of ['NOPE', 'TT-9999', 'INV-2024-001']) {
      shop.drainCalls()
      expect(await lookUp(number)).toEqual(refusal('NOT_FOUND'))
      walks.add(shop.drainCalls().join())
    }
    expect(walks.size).toBe(1)
  })

  it('returns neither of two invoices with the same number', async () => {
    const first = await invoiceNumbered('DOUBLE-1')
    await renumber(await invoiceNumbered('DOUBLE-2'), 'DOUBLE-1')
    expect(await lookUp('DOUBLE-1')).toEqual(refusal('AMBIGUOUS'))
    // The lookup also refuses the number DOUBLE-1 when the shop's index of invoice numbers contains only one of the two
    // invoices with this number.
    await shop.database.owner.query(
      'insert into internal.invoice_numbers (invoice_id, number) values ($1, $2)',
      [first, 'DOUBLE-1'],
    )
    expect(await lookUp('DOUBLE-1')).toEqual(refusal('AMBIGUOUS'))
  })

  it('returns the reason why an invoice cannot be paid', async () => {
    await invoiceNumbered('DRAFT-1', { finalized: false })
    expect(await lookUp('DRAFT-1')).toEqual(refusal('NOT_FINALIZED'))
    const paid = await invoiceNumbered('PAID-1')
    await shop.stripe.invoices.pay(paid, { paid_out_of_band: true })
    expect(await lookUp('PAID-1')).toEqual(refusal('ALREADY_PAID'))
    const voided = await invoiceNumbered('VOID-1')
    await shop.stripe.invoices.voidInvoice(voided)
    expect(await lookUp('VOID-1')).toEqual(refusal('NO_PAY_URL'))
  })

  it("finds a new invoice in Stripe's invoice list if neither the shop's index nor Stripe's search contains it", async () => {
    const id = await invoiceNumbered('FRESH-1')
    shop.breakCalls(({ path }) => (path.endsWith('/search') ? 'before' : undefined))
    expect(await lookUp('FRESH-1')).toEqual(refusal('STRIPE_ERROR'))
    shop.breakCalls(undefined)
    expect(await lookUp('FRESH-1')).toMatchObject({ status: 200, body: { invoice: { id } } })
  })

  it('returns an error when Stripe denies access', async () => {
    shop.breakCalls(() => 'unauthorized')
    expect(await lookUp('TT-0001')).toEqual(refusal('UNAUTHORIZED'))
  })

  it('returns an error during an outage of Stripe', async () => {
    shop.breakCalls(() => 'before')
    expect(await lookUp('TT-0001')).toEqual(refusal('STRIPE_ERROR'))
  })
})

describe('the PDF of an invoice', () => {
  const open = (url: string) => shop.inject({ method: 'GET', url })
  async function pdfUrl(): Promise<string> {
    const { number } = await shop.createInvoice()
    const { body } = await lookUp(number)
    return (body['invoice'] as { pdfUrl: string }).pdfUrl
  }

  it('is served for fifteen minutes, may be framed only by the site, and forbids caching', async () => {
    const url = await pdfUrl()
    expect(url).toMatch(/^\/api\/invoice\/pdf\//)
    const response = await open(url)
    expect(response.statusCode).toBe(200)
    expect(response.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    expect(response.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringMatching(/^inline; filename="INV-[\w-]+\.pdf"$/),
      'cache-control': 'no-store',
      'content-security-policy': "frame-ancestors 'self'",
    })
    shop.clock.now += 16 * 60_000
    expect((await open(url)).json()).toMatchObject({ ok: false, code: 'LINK_EXPIRED' })
    const shown = await shop.inject({ method: 'GET', url, headers: { accept: 'text/html' } })
    expect(shown.statusCode).toBe(404)
    expect(shown.body).toBe(apiErrors.LINK_EXPIRED.message)
    expect(shown.headers['content-security-policy']).toBe("frame-ancestors 'self'")
    shop.clock.now -= 16 * 60_000
  })

  it('is not served for a forged link', async () => {
    const url = await pdfUrl()
    const other = await shop.createInvoice()
    const token = url.split('/').at(-1) ?? ''
    const [id = '', expires = '', signature = ''] = token.split('.')
    for (const forged of [
      `${other.id}.${expires}.${signature}`,
      `${id}.${(Number.parseInt(expires, 36) + 1).toString(36)}.${signature}`,
      `${id}.${expires}.${signature.slice(0, -1)}x`,
      `${id}.${expires}`,
      id,
      '%00',
    ]) {
      const response = await open(`/api/invoice/pdf/${forged}`)
      expect(response.statusCode).toBeGreaterThanOrEqual(400)
      expect(response.statusCode).toBeLessThan(500)
      expect(response.headers['content-type']).not.toContain('pdf')
    }
  })
})

describe('the HTML page of an invoice', () => {
  const open = (url: string) => shop.inject({ method: 'GET', url })
  async function urls(): Promise<{ pdfUrl: string; pageUrl: string }> {
    const { number } = await shop.createInvoice()
    const { body } = await lookUp(number)
    return body['invoice'] as { pdfUrl: string; pageUrl: string }
  }

  it('is served for the same token as the PDF, runs no script, and forbids caching and indexing', async () => {
    const { pdfUrl, pageUrl } = await urls()
    expect(pageUrl).toBe(pdfUrl.replace('/pdf/', '/page/'))
    const response = await open(pageUrl)
    expect(response.statusCode).toBe(200)
    expect(response.body).toContain(`href="${pdfUrl}"`)
    expect(response.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'SAMEORIGIN',
      'x-content-type-options': 'nosniff',
    })
    const policy = String(response.headers['content-security-policy'])
    expect(policy).toMatch(/^default-src 'none'; /)
    expect(policy).toContain("; frame-ancestors 'self'; sandbox allow-same-origin allow-downloads")
    expect(policy).not.toMatch(/script|unsafe/)
    const [, css = ''] = /<style>([\s\S]*?)<\/style>/.exec(response.body) ?? []
    const hash = createHash('sha256').update(css).digest('base64')
    expect(policy).toContain(`style-src 'sha256-${hash}';`)
  })

  it('shows a message instead of the invoice when the link is older than fifteen minutes or forged', async () => {
    const { pageUrl } = await urls()
    const forged = pageUrl.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    shop.clock.now += 16 * 60_000
    const late = await open(pageUrl)
    shop.clock.now -= 16 * 60_000
    for (const response of [late, await open(forged)]) {
      expect(response.statusCode).toBe(404)
      expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(response.body).toContain(apiErrors.LINK_EXPIRED.message)
      expect(response.body).not.toContain('Dana')
    }
  })

  it('shows every line of a long invoice', async () => {
    const lineItems = Array.from({ length: 13 }, (_, index) => ({
      description: `Item ${index + 1}`,
      amount: 10 + index,
      quantity: 1,
    }))
    const { number } = await shop.createInvoice({ lineItems })
    const { body } = await lookUp(number)
    const page = (await open((body['invoice'] as { pageUrl: string }).pageUrl)).body
    for (const { description, amount } of lineItems) {
      expect(page).toContain(`>${description}<`)
      expect(page).toContain(`>$${amount}.00<`)
    }
    expect(page).toContain('>$208.00<')
  })

  it('loads its font from the same origin', async () => {
    const response = await open('/api/invoice/archivo-site.woff2')
    expect(response.headers['content-type']).toBe('font/woff2')
    expect(response.rawPayload.subarray(0, 4).toString()).toBe('wOF2')
  })
})

describe('creating an invoice', () => {
  it('requires a signed-in admin', async () => {
    for (const [method, url] of [
      ['POST', '/api/invoice/create'],
      ['GET', '/api/invoice/list'],
    ] as const) {
      const response = await shop.inject({
        method,
        url,
        ...(method === 'POST' ? { payload: {} } : {}),
      })
      expect(response.statusCode).toBe(401)
      expect(response.json()).toMatchObject({ ok: false, code: 'UNAUTHENTICATED' })
    }
  })

  it('omits invalid lines, and keeps the order and the exact cents of the other lines', async () => {
    const { status, body } = await create({
      lineItems: [
        { description: 'Second to none', amount: '19.99', quantity: '3' },
        { description: '  ', amount: '5', quantity: 1 },
        { description: 'Free', amount: '0', quantity: 1 },
        { description: 'None', amount: '5', quantity: 0 },
        { description: 'Half', amount: 0.1, quantity: 2.9 },
      ],
    })
    expect(status).toBe(200)
    const { id } = body['invoice'] as { id: string }
    const invoice = await shop.stripe.invoices.retrieve(id)
    expect(
      invoice.lines.data.map((line) => [line.description, line.quantity, line.amount]),
    ).toEqual([
      ['Second to none', 3, 5997],
      ['Half', 2, 20],
    ])
    expect(invoice).toMatchObject({
      total: 6017,
      status: 'open',
      collection_method: 'send_invoice',
    })
    expect(body).toMatchObject({
      ok: true,
      message: 'Invoice Created',
      emailSent: false,
      emailError: null,
      invoice: { status: 'open', customer_email: 'dana@example.com', number: expect.any(String) },
    })
  })

  it('supports an invoice to be printed for a customer without an email address, with a due date that the shop computes', async () => {
    const { id, number } = await shop.createInvoice({
      customer: { name: 'Sam Okafor', email: '', phone: '(650) 555-0155' },
      dueDays: 10,
      isForPrint: true,
    })
    expect(await shop.stripe.invoices.retrieve(id)).toMatchObject({
      status: 'open',
      customer_name: 'Sam Okafor',
      customer_email: null,
      due_date: null,
    })
    const { rows } = await shop.database.owner.query(
      `select due_date - (created_at at time zone 'America/Los_Angeles')::date as days from public.invoices where invoice_id = $1`,
      [id],
    )
    expect(rows).toEqual([{ days: 10 }])
    await shop.payByCard(await shop.checkout(id))
    await shop.deliverEvents()
    expect(await shop.post('/api/invoice/lookup', { invoiceNumber: number })).toMatchObject({
      body: { code: 'ALREADY_PAID' },
    })
  })

  it('refuses invalid input with a message, and does not call Stripe', async () => {
    const line = { description: 'Oil', amount: '10', quantity: 1 }
    const cases: [object, ErrorCode][] = [
      [{ customer: { name: 'Dana', email: ' ', phone: '' } }, 'MISSING_EMAIL'],
      [{ customer: { name: '', email: '', phone: '' }, isForPrint: true }, 'INVALID_INVOICE'],
      [
        { customer: { name: 'Dana', email: 'a@b.example', phone: '' }, isForPrint: true },
        'INVALID_INVOICE',
      ],
      [{ customer: { name: '', email: 'no address', phone: '' } }, 'INVALID_INVOICE'],
      [{ customer: { name: '', email: 'a@b.c\r\nBcc: x@y.z', phone: '' } }, 'INVALID_INVOICE'],
      [{ lineItems: [] }, 'NO_LINE_ITEMS'],
      [{ lineItems: [{ ...line, amount: '-5' }] }, 'NO_LINE_ITEMS'],
      [{ lineItems: [{ ...line, amount: 'ten' }] }, 'NO_LINE_ITEMS'],
      [{ lineItems: [{ ...line, amount: '19.999' }] }, 'INVALID_INVOICE'],
      [{ lineItems: [{ ...line, amount: 0.1 + 0.2 }] }, 'INVALID_INVOICE'],
      [{ lineItems: [{ ...line, amount: 19.999 }] }, 'INVALID_INVOICE'],
      [{ lineItems: [{ ...line, amount: 1e-7 }] }, 'INVALID_INVOICE'],
      [{ lineItems: [{ ...line, amount: '999999.99', quantity: 2 }] }, 'INVALID_INVOICE'],
      [{ lineItems: [{ ...line, amount: '0.01', quantity: 10_001 }] }, 'INVALID_INVOICE'],
      [{ lineItems: Array.from({ length: 101 }, () => line) }, 'INVALID_INVOICE'],
      [{ lineItems: [{ ...line, description: 'x'.repeat(501) }] }, 'INVALID_INVOICE'],
      [{ memo: 'x'.repeat(501) }, 'INVALID_INVOICE'],
      [{ customer: { name: 'x'.repeat(201), email: 'a@b.c', phone: '' } }, 'INVALID_INVOICE'],
      [{ currency: 'eur' }, 'INVALID_INVOICE'],
      [{ lineItems: 'x' }, 'INVALID_INVOICE'],
    ]
    shop.drainCalls()
    for (const [change, code] of cases) {
      expect([change, await create(change)]).toMatchObject([
        change,
        { status: 400, body: { ok: false, code, message: expect.any(String) } },
      ])
    }
    expect(shop.drainCalls()).toEqual([])
  })

  it('deletes the draft when Stripe refuses a line', async () => {
    let lines = 0
    shop.breakCalls(({ method, path }) =>
      method === 'POST' && path.endsWith('/invoiceitems') && (lines += 1) === 2
        ? 'before'
        : undefined,
    )
    const line = { description: 'Oil', amount: '10', quantity: 1 }
    const customer = { name: '', email: 'half@example.com', phone: '' }
    expect(await create({ customer, lineItems: [line, line] })).toEqual(
      refusal('INVOICE_NOT_CREATED'),
    )
    shop.breakCalls(undefined)
    const [existing] = (await shop.stripe.customers.list({ email: 'half@example.com' })).data
    const left = await shop.stripe.invoices.list({ customer: existing?.id ?? '' })
    expect(left.data).toEqual([])
  })

  it('creates one invoice for repeated requests with one idempotency key', async () => {
    const cookie = await shop.logIn()
    const headers = { cookie, 'idempotency-key': 'wish-12345678' }
    const payload = {
      customer: { name: 'Dana', email: 'once@example.com', phone: '' },
      lineItems: [{ description: 'Oil', amount: '10', quantity: 1 }],
      sendEmail: false,
    }
    const send = async () => {
      const response = await shop.inject({
        method: 'POST',
        url: '/api/invoice/create',
        headers,
        payload,
      })
      return response.json<{ invoice: { id: string } }>().invoice.id
    }
    expect(await send()).toBe(await send())
  })

  it('emails the invoice on request with its payment link and PDF, and reports that an email was sent', async () => {
    const customer = { name: 'Dana\r\nBcc: x@y.z', email: 'mailed@example.com', phone: '' }
    const memo = 'Thank you for your patience'
    const { status, body } = await create({ customer, memo, sendEmail: true })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      message: 'Invoice Created & Sent',
      emailSent: true,
      emailError: null,
      // The email is in the outbox, because the test shop has no mail server.
      isEmailInOutbox: true,
    })
    const { id, number } = body['invoice'] as { id: string; number: string }
    const { rows } = await shop.database.owner.query(
      `select * from public.emails where kind = 'invoice' and invoice_id = $1`,
      [id],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      recipient_email: 'mailed@example.com',
      recipient_name: 'Dana Bcc: x@y.z',
    })
    expect(rows[0].text_body).toContain(`/pay-invoice?invoice=${number}`)
    expect(rows[0].text_body).toContain('For: Oil')
    expect(rows[0].text_body).toContain(`Note: ${memo}`)
    const [pdf] = rows[0].attachments
    expect(pdf).toMatchObject({ contentType: 'application/pdf' })
    expect(Buffer.from(pdf.contentBase64, 'base64').subarray(0, 5).toString()).toBe('%PDF-')
  })
})

describe('the invoice list of the dashboard', () => {
  it('contains the newest invoices of the days that the client requests, with no other fields than the dashboard needs', async () => {
    const { id } = await shop.createInvoice()
    const { status, body } = await shop.get('/api/invoice/list?limit=25&days=7')
    expect(status).toBe(200)
    const invoices = body['invoices'] as Record<string, unknown>[]
    expect(invoices[0]).toMatchObject({ id, status: 'open', customer_name: 'Dana Whitfield' })
    expect(Object.keys(invoices[0] ?? {}).sort()).toEqual([
      'balanceCents',
      'created',
      'currency',
      'customer_email',
      'customer_name',
      'hosted_invoice_url',
      'id',
      'invoice_pdf',
      'number',
      'status',
      'totalCents',
    ])
    shop.clock.now += 8 * 86_400_000
    expect(await shop.get('/api/invoice/list?limit=25&days=7')).toMatchObject({
      body: { invoices: [] },
    })
    shop.clock.now -= 8 * 86_400_000
  })

  it('contains the total and the balance of each invoice, before and after a payment', async () => {
    const { id } = await shop.createInvoice()
    const listed = async () => {
      const { body } = await shop.get('/api/invoice/list?limit=25&days=7')
      return (body['invoices'] as { id: string }[]).find((invoice) => invoice.id === id)
    }
    const amounts = { totalCents: 40_700, currency: 'usd' }
    expect(await listed()).toMatchObject({ ...amounts, status: 'open', balanceCents: 40_700 })
    await shop.payByCard(await shop.checkout(id))
    await shop.deliverEvents()
    expect(await listed()).toMatchObject({ ...amounts, status: 'paid', balanceCents: 0 })
    const voided = await shop.createInvoice()
    await shop.stripe.invoices.voidInvoice(voided.id)
    const { body } = await shop.get('/api/invoice/list?limit=1&days=7')
    expect(body['invoices']).toMatchObject([{ id: voided.id, status: 'void', balanceCents: 0 }])
  })

  it('contains only finalized invoices, and no more than the client requests', async () => {
    const before = await shop.createInvoice()
    let lookupCount = 0
    shop.breakCalls(async ({ method, path }) => {
      if (method !== 'POST' || !path.startsWith('/v1/invoice')) return undefined
      const { body } = await shop.get('/api/invoice/list?limit=1&days=7')
      expect(body['invoices']).toMatchObject([{ id: before.id, status: 'open' }])
      lookupCount += 1
      return undefined
    })
    const { id } = await shop.createInvoice()
    shop.breakCalls(undefined)
    // The test requested the invoice list when the draft was created, when its lines were added, and when it was
    // finalized.
    expect(lookupCount).toBeGreaterThanOrEqual(3)
    const { body } = await shop.get('/api/invoice/list?limit=1&days=7')
    expect(body['invoices']).toMatchObject([
      { id, status: 'open', invoice_pdf: expect.stringContaining('/pdf') },
    ])
  })

  it('refuses an invalid limit or time window', async () => {
    for (const query of ['limit=0', 'limit=101', 'days=0', 'days=9999', 'limit=x']) {
      expect(await shop.get(`/api/invoice/list?${query}`)).toMatchObject({
        status: 400,
        body: { ok: false, code: 'BAD_REQUEST' },
      })
    }
  })
})
