import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerOf, openCheckout, openInvoice, paymentOf } from './testing/payments.ts'
import { openTestSandbox, sandboxUrl, type TestSandbox } from './testing/test-sandbox.ts'

let sandbox: TestSandbox
let stripe: Stripe
beforeAll(async () => {
  sandbox = await openTestSandbox()
  stripe = sandbox.stripe
})
afterAll(() => sandbox.close())

const open = (address: string | null | undefined) =>
  sandbox.app.inject(new URL(address ?? '', sandboxUrl).pathname)

describe('the hosted checkout', () => {
  it('shows the amount, a note about test mode and a card form that works without scripts', async () => {
    const session = await openCheckout(stripe, await openInvoice(stripe))
    const page = await open(session.url)
    expect(page.statusCode).toBe(200)
    for (const text of [
      'Test mode:',
      'no card is charged',
      '$549.50',
      'Card number',
      'Security code',
      'Cancel',
    ]) {
      expect(page.body).toContain(text)
    }
    expect(page.body).not.toContain('<script')
    expect(page.body).not.toContain(' style=')
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining(`form-action 'self' ${sandboxUrl};`),
    })
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  })

  it('has a random URL, like the hosted invoice', async () => {
    const invoice = await openInvoice(stripe)
    expect((await openCheckout(stripe, invoice)).url).toMatch(
      /\/sandbox\/checkout\/cs_test_\w{58}$/,
    )
    expect(invoice.hosted_invoice_url).toMatch(/\/sandbox\/invoice\/\w{48}$/)
    expect(invoice.invoice_pdf).toMatch(/\/sandbox\/invoice\/\w{48}\/pdf$/)
    expect((await open(`/sandbox/invoice/${invoice.id}`)).statusCode).toBe(404)
    expect((await open('/sandbox/checkout/cs_test_missing')).statusCode).toBe(404)
  })

  it.each([
    ['number', '4242 4242 4242 4241', 'mistyped'],
    ['number', '', 'Please enter a card number.'],
    ['expiry', '13 / 34', 'MM / YY'],
    ['expiry', '10/26', 'This card has expired.'],
    ['cvc', '12', 'the 3 digits'],
    ['name', '  ', 'the name on the card'],
  ])(
    'shows an error and keeps the other values when the field %s is %j',
    async (field, value, text) => {
      const session = await openCheckout(stripe, await openInvoice(stripe))
      const page = await sandbox.submitCard(session.url ?? '', {
        name: 'Łukasz <b>',
        [field]: value,
      })
      expect(page.statusCode).toBe(200)
      expect(page.body).toContain(text)
      expect(page.body).toContain(`aria-describedby="${field}-error"`)
      if (field !== 'name') expect(page.body).toContain('value="Łukasz &lt;b&gt;"')
      expect(page.body).not.toContain('value="123"')
      const read = await stripe.checkout.sessions.retrieve(session.id)
      expect(read).toMatchObject({ status: 'open', payment_intent: null })
    },
  )

  it('refuses a card that is no test card, and does not show the refused number again', async () => {
    const session = await openCheckout(stripe, await openInvoice(stripe))
    const page = await sandbox.submitCard(session.url ?? '', { number: '4539 1488 0343 6467' })
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('not a test card')
    expect(page.body).not.toContain('6467')
  })

  it('accepts a card until the end of its expiry month', async () => {
    const session = await openCheckout(stripe, await openInvoice(stripe))
    expect((await sandbox.submitCard(session.url ?? '', { expiry: '11/26' })).statusCode).toBe(303)
  })

  it('stores only the last four digits of a card number', async () => {
    const session = await openCheckout(stripe, await openInvoice(stripe))
    await sandbox.submitCard(session.url ?? '', { number: '5555 5555 5555 4444', cvc: '987' })
    const { rows } = await sandbox.database.query<{ text: string }>(
      `select string_agg(data::text, ' ') as text from stripe_sandbox.objects`,
    )
    expect(rows[0]?.text).not.toMatch(/5555 ?5555|"987"/)
    expect(rows[0]?.text).toContain('"4444"')
  })

  it('ignores the email address in the form when the customer has an email address', async () => {
    const invoice = await openInvoice(stripe)
    const session = await openCheckout(stripe, invoice)
    await sandbox.submitCard(session.url ?? '', { email: 'eve@example.com' })
    const read = await stripe.checkout.sessions.retrieve(session.id)
    expect(read.customer_details?.email).toBe('dana@example.com')
  })

  it('redirects to the success URL when it is opened or submitted again after the payment', async () => {
    const session = await openCheckout(stripe, await openInvoice(stripe))
    await sandbox.submitCard(session.url ?? '')
    const success = `${sandboxUrl}/payment-success?session_id=${session.id}`
    expect((await open(session.url)).headers.location).toBe(success)
    expect((await sandbox.submitCard(session.url ?? '')).headers.location).toBe(success)
  })

  it('states that the Checkout Session has expired, with a link to the cancel URL', async () => {
    const session = await openCheckout(stripe, await openInvoice(stripe))
    await stripe.checkout.sessions.expire(session.id)
    const page = await open(session.url)
    expect(page.statusCode).toBe(410)
    expect(page.body).toContain('This checkout has expired')
    expect(page.body).toContain(`href="${sandboxUrl}/pay-invoice"`)
  })

  it('escapes HTML in the names of line items', async () => {
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      success_url: `${sandboxUrl}/done`,
      line_items: [
        {
          quantity: 2,
          price_data: {
            currency: 'usd',
            unit_amount: 1000,
            product_data: { name: '<img src=x onerror=alert(1)>"\'&' },
          },
        },
      ],
    })
    const page = await open(session.url)
    expect(page.body).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp; × 2')
    expect(page.body).not.toContain('<img')
  })

  it('refuses a form of more than 8 KB with status 413', async () => {
    const session = await openCheckout(stripe, await openInvoice(stripe))
    const page = await sandbox.submitCard(session.url ?? '', { name: 'x'.repeat(10_000) })
    expect(page.statusCode).toBe(413)
  })
})

describe('the hosted invoice', () => {
  it('can be paid on its page after a card was declined', async () => {
    const invoice = await openInvoice(stripe)
    const page = await open(invoice.hosted_invoice_url)
    for (const text of [
      invoice.number,
      'Desk lamp with a shade',
      '$549.50',
      'Pay this invoice',
      'Download PDF',
    ]) {
      expect(page.body).toContain(text)
    }
    const pay = `${invoice.hosted_invoice_url ?? ''}/pay`
    expect((await open(pay)).body).toContain('Card number')
    const declined = await sandbox.submitCard(pay, { number: '4000000000000002' })
    expect(declined.statusCode).toBe(200)
    expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject({
      status: 'open',
      attempt_count: 1,
    })

    const responses = await Promise.all([1, 2, 3].map(() => sandbox.submitCard(pay)))
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303])
    expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject({
      status: 'paid',
      amount_paid: 54_950,
      amount_overpaid: 0,
    })
    const payments = await stripe.invoicePayments.list({ invoice: invoice.id })
    expect(payments.data).toMatchObject([{ is_default: true, status: 'paid', amount_paid: 54_950 }])
    expect((await open(invoice.hosted_invoice_url)).body).toContain('Paid on')
    expect((await open(pay)).statusCode).toBe(303)
  })

  it('charges only the remaining amount after a partial payment', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    const session = await openCheckout(stripe, invoice, 4_000)
    await sandbox.submitCard(session.url ?? '')
    await stripe.invoices.attachPayment(invoice.id, {
      payment_intent: await paymentOf(stripe, session),
    })
    await sandbox.submitCard(`${invoice.hosted_invoice_url ?? ''}/pay`)
    const charges = await stripe.charges.list({ customer: customerOf(invoice) })
    expect(charges.data.map(({ amount }) => amount)).toEqual([6_000, 4_000])
    expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject({
      status: 'paid',
      amount_overpaid: 0,
    })
  })

  it('shows the amount of its credit notes and charges the rest', async () => {
    const invoice = await openInvoice(stripe, 10_000)
    const plain = (await open(invoice.hosted_invoice_url)).body
    expect(plain).not.toContain('Credit notes')
    await stripe.creditNotes.create({ invoice: invoice.id, amount: 2_500, email_type: 'none' })
    const page = (await open(invoice.hosted_invoice_url)).body
    expect(page).toContain('-$25.00')
    expect(page).toContain('$75.00')
    await sandbox.submitCard(`${new URL(invoice.hosted_invoice_url ?? '').pathname}/pay`)
    expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject({
      status: 'paid',
      amount_paid: 7_500,
      amount_overpaid: 0,
    })
  })

  it('cannot be paid when it is void', async () => {
    const invoice = await openInvoice(stripe)
    await stripe.invoices.voidInvoice(invoice.id)
    expect((await open(invoice.hosted_invoice_url)).body).not.toContain('Pay this invoice')
    expect((await sandbox.submitCard(`${invoice.hosted_invoice_url ?? ''}/pay`)).statusCode).toBe(
      303,
    )
    expect((await stripe.charges.list({ customer: customerOf(invoice) })).data).toEqual([])
  })

  it('serves its PDF at the URL in the field invoice_pdf', async () => {
    const invoice = await openInvoice(stripe)
    const pdf = await open(invoice.invoice_pdf)
    expect(pdf.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="${invoice.number ?? ''}.pdf"`,
    })
    expect(pdf.body).toBe(`%PDF-1.7 ${invoice.id}`)
  })
})

describe('the receipt of a charge', () => {
  it('shows the amount and the card at a URL that contains a secret', async () => {
    const session = await openCheckout(stripe, await openInvoice(stripe))
    await sandbox.submitCard(session.url ?? '')
    const intent = await stripe.paymentIntents.retrieve(await paymentOf(stripe, session), {
      expand: ['latest_charge'],
    })
    const charge = intent.latest_charge
    if (charge === null || typeof charge === 'string') throw new Error('not expanded')
    const page = await open(charge.receipt_url)
    expect(page.body).toContain('$549.50')
    expect(page.body).toContain('visa ending in 4242')
    expect((await open('/sandbox/receipt/x')).statusCode).toBe(404)
  })
})

describe('the assets of the pages', () => {
  it('include the stylesheet and the branding of the account', async () => {
    expect((await open('/sandbox/assets/style.css')).body).toContain('--accent')
    expect((await open('/sandbox/assets/brand.woff2')).headers['content-type']).toBe('font/woff2')
    expect((await open('/sandbox/assets/icon.svg')).statusCode).toBe(200)
  })
})
