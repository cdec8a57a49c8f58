import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testAdmin } from '#tests/support/app/app.ts'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { approveEstimate, readEstimate } from '#tests/support/estimates/approved-estimate.ts'
import { estimateDocument, estimateJob } from '#tests/support/estimates/estimates.ts'

let shop: PaymentApp
beforeAll(async () => {
  shop = await createPaymentApp({ rateLimits: 'enforced' })
})
afterAll(() => shop.close())

type Link = { readonly url: string; readonly typedUrl: string }

const pathOf = (url: string) => new URL(url).pathname
const open = (path: string, remoteAddress = '203.0.113.1') =>
  shop.inject({ method: 'GET', url: path, remoteAddress })

const printed = () =>
  shop.createInvoice({
    customer: { name: 'Theo Park', email: '', phone: '(650) 555-0139' },
    isForPrint: true,
  })

async function handOver(invoiceId: string): Promise<Link> {
  const { status, body } = await shop.post('/api/invoice/hand-over', { invoiceId })
  expect(status).toBe(200)
  return body as unknown as Link
}

describe('the secret link to an invoice', () => {
  it('shows the balance and the billed work to any client with the token or the short code', async () => {
    const { id, number } = await printed()
    const { url, typedUrl } = await handOver(id)
    expect(pathOf(url)).toMatch(/^\/i\/[\w-]{22}$/)
    expect(pathOf(typedUrl)).toMatch(/^\/i\/([A-HJ-NP-Z2-9]{4}-){2}[A-HJ-NP-Z2-9]{4}$/)
    for (const path of [pathOf(url), pathOf(typedUrl), pathOf(typedUrl).toLowerCase()]) {
      const { statusCode, body, headers } = await open(path)
      expect(statusCode).toBe(200)
      expect(body).toContain(number)
      expect(body).toContain('Your balance is $407.00')
      expect(body).toContain('Front brake pads and rotors')
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex, nofollow',
      })
    }
  })

  it('has the same URLs each time the invoice is printed, and different URLs for each invoice', async () => {
    const [one, other] = [await printed(), await printed()]
    expect(await handOver(one.id)).toEqual(await handOver(one.id))
    expect(await handOver(other.id)).not.toEqual(await handOver(one.id))
  })

  it('shows no customer name, phone number or email address', async () => {
    const { id } = await shop.createInvoice()
    const { body } = await open(pathOf((await handOver(id)).url))
    expect(body).toContain('Your balance is')
    for (const text of ['Dana', 'Whitfield', '555-0199', '5550199', 'dana@example.com']) {
      expect(body).not.toContain(text)
    }
  })

  it("redirects to the payment page of the invoice, and shows 'Nothing is due' after the payment", async () => {
    const path = pathOf((await handOver((await printed()).id)).url)
    const response = await shop.inject({ method: 'POST', url: `${path}/pay` })
    expect(response.statusCode).toBe(303)
    await shop.payByCard(String(response.headers.location))
    await shop.deliverEvents()
    expect((await open(path)).body).toContain('Nothing is due')
  })

  it('shows that the invoice is void, and staff get no new link to a void invoice', async () => {
    const { id } = await printed()
    const { url } = await handOver(id)
    await shop.database.owner.query(
      'update public.invoices set voided_at = now() where invoice_id = $1',
      [id],
    )
    const { body } = await open(pathOf(url))
    expect(body).toContain('This invoice is void')
    expect(body).not.toContain('$407.00')
    expect(body).not.toContain('<form')
    const { status } = await shop.post('/api/invoice/hand-over', { invoiceId: id })
    expect(status).toBe(404)
  })

  it('shows that the invoice was cancelled, and opens no payment page', async () => {
    const { id } = await printed()
    const path = pathOf((await handOver(id)).url)
    await shop.payByCard(await shop.checkout(id))
    await shop.deliverEvents()
    await shop.post('/api/admin/confirm-password', { password: testAdmin.password })
    const cancelled = await shop.post('/api/commands/cancel-invoice', {
      commandId: randomUUID(),
      input: { invoiceId: id, reason: 'Wrong customer', notifies: false },
    })
    expect(cancelled.status).toBe(200)
    const { body } = await open(path)
    expect(body).toContain('This invoice was cancelled')
    expect(body).not.toContain('$407.00')
    const response = await shop.inject({ method: 'POST', url: `${path}/pay` })
    expect([response.statusCode, response.headers.location]).toEqual([303, path])
  })

  it('shows the jobs with their tax if the invoice bills an estimate', async () => {
    const document = estimateDocument([estimateJob()])
    const estimateId = await approveEstimate(shop.database.database, document)
    const { version: seenVersion } = await readEstimate(shop.database.database, estimateId)
    const { body } = await shop.post('/api/admin/estimate/invoice', { estimateId, seenVersion })
    const { url } = await handOver((body['invoice'] as { id: string }).id)
    const page = (await open(pathOf(url))).body
    expect(page).toContain('Your balance is $292.95')
    expect(page).toContain('Front brakes, $292.95')
    for (const text of ['Maria', 'maria@', '555-0167', '8KLM204']) expect(page).not.toContain(text)
  })

  it('is stored as digests of the token and the code, which do not open the invoice', async () => {
    const { id } = await printed()
    const { url } = await handOver(id)
    const { rows } = await shop.database.owner.query<{ row: string; digest: string }>(
      `select link::text as row, encode(token_digest, 'hex') as digest
       from internal.invoice_links link where invoice_id = $1`,
      [id],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.row).not.toContain(url.split('/').at(-1))
    expect((await open(`/i/${rows[0]?.digest}`)).statusCode).toBe(404)
  })
})

describe('an invalid link to an invoice', () => {
  it('gets the same 404 page, whatever its format', async () => {
    const paths = ['/i/AAAAAAAAAAAAAAAAAAAAAA', '/i/K7MT-4RWX-9BQZ', '/i/x']
    const responses = await Promise.all(paths.map((path) => open(path)))
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404])
    expect(new Set(responses.map(({ body }) => body)).size).toBe(1)
    expect(responses[0]?.body).toContain('Check the web address on your invoice')
    expect(responses[0]?.body).not.toContain('find your appointment')
  })

  it('counts toward the limit of 20 unknown invoice numbers, whereas valid links are not limited', async () => {
    const path = pathOf((await handOver((await printed()).id)).url)
    const address = '198.51.100.7'
    for (let count = 0; count < 25; count += 1) {
      expect((await open(path, address)).statusCode).toBe(200)
    }
    const wrong: number[] = []
    for (let count = 0; count < 21; count += 1) {
      wrong.push((await open('/i/K7MT-4RWX-9BQZ', address)).statusCode)
    }
    expect(wrong.slice(0, 20).every((status) => status === 404)).toBe(true)
    expect(wrong[20]).toBe(429)
  })

  it('cannot be replaced by a new link without a staff session', async () => {
    const { id } = await printed()
    const response = await shop.inject({
      method: 'POST',
      url: '/api/invoice/hand-over',
      payload: { invoiceId: id },
    })
    expect(response.statusCode).toBe(401)
  })
})
