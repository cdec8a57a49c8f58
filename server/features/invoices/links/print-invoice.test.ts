import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { approveEstimate, readEstimate } from '#tests/support/estimates/approved-estimate.ts'
import { estimateDocument, estimateJob } from '#tests/support/estimates/estimates.ts'
import { readPdf } from '#tests/support/read-pdf.ts'

let shop: PaymentApp
let cookie: string
beforeAll(async () => {
  shop = await createPaymentApp()
  cookie = await shop.logIn()
})
afterAll(() => shop.close())

const customer = { name: 'Theo Park', email: '', phone: '(650) 555-0139' }
const printed = (change: Record<string, unknown> = {}) =>
  shop.createInvoice({ customer, isForPrint: true, ...change })

async function handOver(invoiceId: string): Promise<{ url: string; typedUrl: string }> {
  const { body } = await shop.post('/api/invoice/hand-over', { invoiceId })
  return body as unknown as { url: string; typedUrl: string }
}

/** Returns the text of a PDF without spaces, because a PDF stores a position for each word instead of spaces. */
async function wordsAt(url: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await shop.inject({ method: 'GET', url, headers })
  expect(response.headers['content-type']).toBe('application/pdf')
  return squeezed((await readPdf(response.rawPayload)).text)
}
const squeezed = (text: string) => text.replaceAll(/\s+/g, '')
const staffPdf = (id: string) => wordsAt(`/api/admin/invoice/${id}/print`, { cookie })
const linkPdf = async (id: string) =>
  wordsAt(`${new URL((await handOver(id)).url).pathname}/invoice.pdf`)

/** Creates an invoice that bills an estimate with a plate, a VIN, a third-party payer and an authorization by phone. */
async function billEstimate(): Promise<string> {
  const document = estimateDocument([estimateJob()], {
    vehicle: { ...estimateDocument([]).vehicle, vin: '4S4BSANC5K3352179' },
    payer: { name: 'Pacific Mutual', reference: 'PM-20417', approvedCents: null },
  })
  const id = await approveEstimate(shop.database.database, document)
  const { version: seenVersion } = await readEstimate(shop.database.database, id)
  const { body } = await shop.post('/api/admin/estimate/invoice', { estimateId: id, seenVersion })
  return (body['invoice'] as { id: string }).id
}

describe('the printed invoice that staff hand to the customer', () => {
  it('contains the customer, the shop’s due date, the QR code and the short URL', async () => {
    const { id, number } = await printed()
    const { typedUrl } = await handOver(id)
    const { rows } = await shop.database.owner.query<{ due: string }>(
      `select to_char(due_date, 'FMMonth FMDD, YYYY') as due from public.invoices where invoice_id = $1`,
      [id],
    )
    const words = await staffPdf(id)
    for (const text of [
      number,
      'Theo Park',
      '(650) 555-0139',
      `Due${rows[0]?.due}`,
      'Pay with your phone',
      typedUrl.replace(/^https?:\/\//, ''),
    ]) {
      expect(words).toContain(squeezed(text))
    }
  })

  it('has no QR code after the invoice was paid', async () => {
    const { id } = await printed()
    const checkout = await shop.checkout(id)
    await shop.payByCard(checkout)
    await shop.deliverEvents()
    const words = await staffPdf(id)
    expect(words).toContain('Paid')
    expect(words).not.toContain('Paywithyourphone')
  })

  it('names the third-party payer with the claim number', async () => {
    const words = await staffPdf(await billEstimate())
    expect(words).toContain('PacificMutual')
    expect(words).toContain('Claimorestimatenumber:PM-20417')
  })

  it('is returned to staff only', async () => {
    const { id } = await printed()
    const url = `/api/admin/invoice/${id}/print`
    expect((await shop.inject({ method: 'GET', url })).statusCode).toBe(401)
  })
})

describe('the email with which staff send an invoice to an address that they type', () => {
  const send = (invoiceId: string, email: string, commandId: string = randomUUID()) =>
    shop.post('/api/commands/email-invoice', { commandId, input: { invoiceId, email } })
  const sentTo = async (email: string) => {
    const { rows } = await shop.database.owner.query<{ text_body: string }>(
      'select text_body from public.emails where recipient_email = $1',
      [email],
    )
    return rows
  }

  it('contains the balance, the due date and the link, and is sent once per command', async () => {
    const { id } = await printed()
    const email = `${randomUUID()}@example.com`
    const commandId = randomUUID()
    const both = [await send(id, email, commandId), await send(id, email, commandId)]
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    const [sent, ...others] = await sentTo(email)
    expect(others).toEqual([])
    expect(sent?.text_body).toContain('$407.00')
    expect(sent?.text_body).toMatch(/Due.*2026/)
    expect(sent?.text_body).toContain((await handOver(id)).url)
    await send(id, email)
    expect(await sentTo(email)).toHaveLength(2)
  })

  it('is refused for an invalid email address and for a void invoice', async () => {
    const { id } = await printed()
    const email = `${randomUUID()}@example.com`
    expect((await send(id, 'theo at example')).status).toBe(400)
    await shop.database.owner.query(
      'update public.invoices set voided_at = now() where invoice_id = $1',
      [id],
    )
    expect((await send(id, email)).status).toBe(404)
    expect(await sentTo(email)).toEqual([])
  })
})

describe('the PDF that a customer opens with the secret link', () => {
  it('contains the billed work and the amounts, but no customer details, plate, VIN or payer', async () => {
    const id = await billEstimate()
    const complete = await staffPdf(id)
    const words = await linkPdf(id)
    for (const text of ['Frontbrakes', '2019SubaruOutback', 'Totaldue']) {
      expect(words).toContain(text)
    }
    for (const text of ['MariaDelgado', 'maria', '555-0167', '8KLM204', 'PM-20417', 'byphone']) {
      expect(complete.toLowerCase()).toContain(text.toLowerCase())
      expect(words.toLowerCase()).not.toContain(text.toLowerCase())
    }
    expect(words).not.toMatch(/[A-HJ-NPR-Z0-9]{17}/)
  })

  it('omits the memo and the payment references, because staff may note contact details there', async () => {
    const { id } = await printed({ memo: 'Call 650-555-0139 before noon' })
    const taken = await shop.post('/api/commands/take-payment', {
      commandId: randomUUID(),
      input: {
        invoiceId: id,
        method: 'other',
        amountCents: 100,
        givenCents: null,
        reference: 'Zelle of theo@example.com',
        note: null,
        sendsReceipt: false,
      },
    })
    expect(taken.status).toBe(200)
    expect(await staffPdf(id)).toContain('theo@example.com')
    const words = await linkPdf(id)
    expect(words).toContain('Amountdue')
    expect(words).not.toContain('theo@')
    expect(words).not.toContain('650-555-0139')
  })

  it('redirects to the invoice page after the invoice was voided', async () => {
    const { id } = await printed()
    const { url } = await handOver(id)
    const path = `${new URL(url).pathname}/invoice.pdf`
    await shop.database.owner.query(
      'update public.invoices set voided_at = now() where invoice_id = $1',
      [id],
    )
    const { statusCode, headers } = await shop.inject({ method: 'GET', url: path })
    expect([statusCode, headers.location]).toEqual([303, new URL(url).pathname])
  })
})
