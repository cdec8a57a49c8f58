import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { defaultShop } from '#domain/shop/default-shop.ts'
import type { ShopColumns } from '#domain/shop/shop-form.ts'
import { renderCalendarFile } from '#emails/bookings/calendar-file.ts'
import { writeConfirmationRequest } from '#emails/bookings/confirmation-request.ts'
import { noticeOfDuplicate } from '#emails/payments/payment-notices.ts'
import { writeQuoteReply } from '#emails/quotes/quote-reply.ts'
import { writeUndeliveredNotice } from '#emails/delivery/undelivered-notice.ts'
import { readShop } from '#server/features/shop/read-shop.ts'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  addService,
  bookingRow,
  insertRow,
  fixtureClock,
  visitor,
} from '#tests/support/database/database-fixtures.ts'

/**
 * New values for every detail (name, address, phone) of the shop. The name contains characters that end a script, an
 * attribute or a header when they are not escaped.
 */
const another = {
  name: `O'Neil "& Sons" </script><i>`,
  legal_name: 'O Neil and Sons Coachworks LLC',
  business_type: 'Coachworks',
  tagline: 'Straight panels only.',
  description: 'Dents, paint and glass.',
  experts_text: 'Painters with twenty years of practice.',
  turnaround_text: 'Most dents are out in a day.',
  warranty_text: 'Paint is guaranteed for five years.',
  street: '77 Sample Row',
  city: 'Springfield',
  state: 'OH',
  postal_code: '45501',
  country: 'US',
  latitude: 39.9242,
  longitude: -83.8088,
  time_zone: 'America/New_York',
  phone: '+19375550123',
  billing_phone: '+19375550124',
  support_email: 'care@coachworks.example',
  billing_email: 'books@coachworks.example',
  booking_email: 'desk@coachworks.example',
  appointment_minutes: 50,
  quote_reply_hours: 48,
} satisfies Omit<ShopColumns, 'links'>

const { address, phone, billingPhone } = defaultShop
const position = defaultShop.position ?? { latitude: 0, longitude: 0 }
/**
 * The details of the default shop, in plain text and URL-encoded. After the change of the shop details, no page, email
 * or file is allowed to contain any of them.
 */
const oldFacts = [
  ...Object.values(defaultShop).filter((fact) => typeof fact === 'string'),
  address.street,
  // The map on the site shows the street without the house number.
  'Example Way',
  address.city,
  address.postalCode,
  String(position.latitude),
  String(position.longitude),
  'Pacific',
  phone.display,
  phone.e164,
  billingPhone.display,
  billingPhone.e164,
  'torqueandtiming.example',
  '1 hour and 15 minutes',
  '24 hours',
].flatMap((fact) => [
  fact,
  encodeURIComponent(fact),
  new URLSearchParams({ fact }).toString().slice(5),
])

/**
 * Decodes HTML entities and unfolds the lines of calendar files, so that a search finds a detail with any kind of
 * escaping.
 */
function plain(text: string): string {
  return text
    .replaceAll(/&#(\d+);/g, (_whole, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/&#x([\da-f]+);/gi, (_whole, code: string) =>
      String.fromCodePoint(parseInt(code, 16)),
    )
    .replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('\r\n ', '')
    .replaceAll(String.raw`\u003c`, '<')
}

function oldIn(text: string): string[] {
  const searched = plain(text)
  return oldFacts.filter((fact) =>
    // A random code or id can contain the five digits of the old postal code. Only digits that stand alone count as a
    // postal code.
    fact === address.postalCode ? postalCode.test(searched) : searched.includes(fact),
  )
}
const postalCode = new RegExp(String.raw`(?<![\w-])${address.postalCode}(?![\w-])`)

/**
 * Returns whether a text contains the new name, plain or escaped for JSON or a calendar file, or the new domain of the
 * site.
 */
const isAnothers = (text: string) => /O'Neil|coachworks\.example/.test(plain(text))

let shop: PaymentApp
beforeAll(async () => {
  shop = await createPaymentApp({ publicUrl: 'https://coachworks.example' })
  await setShopClock(shop.database.owner, fixtureClock)
})
afterAll(() => shop.close())

const read = async (url: string, accept = 'text/html') =>
  (await shop.inject({ url: url.replace(/^https?:\/\/[^/]+/, ''), headers: { accept } })).body

const pagePaths = [
  '/',
  '/book-appointment',
  '/request-quote',
  '/pay-invoice',
  '/payment-success',
  '/privacy',
  '/admin-dashboard',
  '/no-such-page',
]
const filePaths = ['/site.webmanifest', '/sitemap.xml', '/robots.txt', '/sandbox/assets/style.css']

async function becomeAnother(): Promise<void> {
  const columns = Object.keys(another).map((column, index) => `${column} = $${index + 1}`)
  await shop.database.owner.query(
    `update public.shop set ${columns.join(', ')}`,
    Object.values(another),
  )
  await vi.waitFor(async () => expect(oldIn(await read('/'))).toEqual([]), 10_000)
}

/** Returns the HTML of the visit page (the customer's page) of a booking that a visitor made. */
async function visitPage(): Promise<string> {
  const { database } = shop.database
  const serviceId = await addService(shop.database, 'Dent Check', 60)
  await database.transaction(visitor, (query) =>
    insertRow(query, 'bookings', bookingRow(serviceId)),
  )
  const { rows } = await shop.database.owner.query(
    'select public.visit_page_token(id) as token from public.bookings',
  )
  return read(`/visit/${rows[0].token}`)
}

/** Returns the text of every document and page that shows an invoice. */
async function invoiceDocuments(): Promise<Record<string, string>> {
  const { id, number } = await shop.createInvoice({ sendEmail: true })
  const found = await shop.post('/api/invoice/lookup', { invoiceNumber: number })
  const { pdfUrl, pageUrl } = found.body['invoice'] as { pdfUrl: string; pageUrl: string }
  const pdf = await shop.inject(new URL(pdfUrl, shop.config.publicUrl).pathname)
  const checkout = await shop.checkout(id)
  const invoice = await shop.stripe.invoices.retrieve(id)
  const documents = {
    pdf: JSON.stringify(await readPdf(pdf.rawPayload)),
    'invoice page': await read(new URL(pageUrl, shop.config.publicUrl).pathname),
    checkout: await read(checkout),
    'hosted invoice': await read(invoice.hosted_invoice_url ?? ''),
    'processor’s invoice': JSON.stringify(invoice),
  }
  await shop.payByCard(checkout)
  await shop.deliverEvents()
  return documents
}

/**
 * Returns the text of every email in the outbox, with the kind of email as its key. The text includes the header
 * fields, the bodies and the attachments.
 */
async function letters(): Promise<Record<string, string>> {
  const { rows } = await shop.database.owner.query(
    `select id, kind, subject, html_body, text_body, attachments from public.emails`,
  )
  const cookie = await shop.logIn()
  const entries = rows.map(async ({ id, kind, subject, html_body, text_body, attachments }) => {
    const eml = await shop.inject({ url: `/api/outbox/${id}/message.eml`, headers: { cookie } })
    const [header = ''] = eml.body.split('\r\n\r\n')
    const files = await Promise.all(attachments.map(textOf))
    return [kind, [header, subject, html_body, text_body, ...files].join('\n')] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

type Attachment = { contentType: string; contentBase64: string }

async function textOf({ contentType, contentBase64 }: Attachment): Promise<string> {
  const bytes = Buffer.from(contentBase64, 'base64')
  return contentType.includes('pdf') ? JSON.stringify(await readPdf(bytes)) : bytes.toString()
}

/**
 * Returns the text of the calendar file of a booking, and of emails that no request of this test causes, such as the
 * notice of a duplicate payment. The test writes these emails directly.
 */
async function rareLetters(): Promise<Record<string, string>> {
  const facts = await readShop(shop.database.database)
  const owner = { currentShop: () => facts, ownerEmail: undefined }
  const held = {
    id: '0b5c0000-0000-4000-8000-000000000001',
    serviceName: 'Dent Check',
    date: '2026-11-28',
    time: '13:30:00',
    customerEmail: 'dana@example.com',
    heldUntil: '2026-11-20T18:30:00Z',
    durationMinutes: 60,
    vehicle: '',
    writtenAt: new Date('2026-11-20T18:00:00Z'),
    bookingId: '0b5c0000-0000-4000-8000-000000000001',
  }
  const payment = {
    invoice: { id: 'in_1', number: 'INV-1', status: 'paid', currency: 'usd' },
    intent: { id: 'pi_1', amount_received: 100, currency: 'usd' },
  } as unknown as Parameters<typeof noticeOfDuplicate>[1]
  const lost = { recipientName: 'Dana', recipientEmail: 'dana@example.com', subject: 'Lost' }
  const undelivered = lost as unknown as Parameters<typeof writeUndeliveredNotice>[0]
  const request = { id: held.id, name: 'Dana', email: 'dana@example.com' }
  return {
    'request to confirm': JSON.stringify(
      writeConfirmationRequest(facts, held, 'https://x.example'),
    ),
    'calendar file': renderCalendarFile(facts, held),
    'owner’s notice': JSON.stringify(noticeOfDuplicate(owner, payment)),
    'notice of the undelivered': JSON.stringify(writeUndeliveredNotice(undelivered, 'full', owner)),
    'quote reply': JSON.stringify(
      await writeQuoteReply(facts, request, { subject: 'Quote', body: 'About $280.' }),
    ),
  }
}

/** Books an appointment and requests a quote as a browser does, then requests both confirmation emails. */
async function writeToShop(): Promise<void> {
  const client = await shop.createClient()
  const { headers } = visitor
  const send = async (table: string, row: object, body: object) => {
    const token = headers?.['x-form-token'] ?? ''
    const { error } = await client.from(table).insert(row).setHeader('x-form-token', token)
    expect(error).toBeNull()
    const customer = { customerName: 'Dana Whitfield', customerEmail: 'dana@example.com' }
    await client.functions.invoke('send-confirmation-email', {
      headers: { 'x-form-token': token },
      body: { ...customer, ...body },
    })
  }
  const serviceId = await addService(shop.database, 'Glass Check', 60)
  await send('bookings', bookingRow(serviceId, { appointment_time: '15:30:00' }), {
    type: 'booking',
    details: {
      serviceName: 'Glass Check',
      date: 'Saturday, November 28, 2026',
      time: '3:30 PM',
    },
  })
  const vehicle = { vehicle_year: '2019', vehicle_make: 'Subaru', vehicle_model: 'Outback' }
  const request = { name: 'Dana Whitfield', email: 'dana@example.com', description: 'A dent.' }
  await send(
    'quote_requests',
    { ...request, ...vehicle },
    { type: 'quote', details: { vehicle: '2019 Subaru Outback', description: 'A dent.' } },
  )
}

describe('a shop whose details all change', () => {
  it('shows its original name on every page before the change, which proves that the search of this test finds the name', async () => {
    for (const path of [...pagePaths, '/site.webmanifest']) {
      expect([path, ...oldIn(await read(path))]).toContain(defaultShop.name)
    }
  })

  it('may show the digits of its former postal code inside a random code, but not as a separate number', () => {
    const found = ['CA 94043', 'Mountain View\\, CA 94043"', '>94043<', '?zip=94043&']
    expect(found.filter((text) => oldIn(text).includes('94043'))).toEqual(found)
    const codes = ['/visit/Qx94043b-7', 'boundary="--_NmP-94043"', '1795094043', 'a_94043']
    expect(codes.filter((text) => oldIn(text).length > 0)).toEqual([])
  })

  it('shows no former detail on any page or in any email, invoice or file after the change', async () => {
    await becomeAnother()
    const pages = await Promise.all(
      [...pagePaths, ...filePaths].map(async (path) => [path, await read(path)] as const),
    )
    await writeToShop()
    const documents: Record<string, string> = {
      ...Object.fromEntries(pages),
      visit: await visitPage(),
      ...(await invoiceDocuments()),
      ...(await rareLetters()),
      ...(await letters()),
    }
    expect(Object.keys(documents)).toEqual(
      expect.arrayContaining([
        'booking_confirmation',
        'quote_confirmation',
        'invoice',
        'payment_receipt',
      ]),
    )
    const left = Object.entries(documents).map(([name, text]) => [name, oldIn(text)] as const)
    expect(left.filter(([, facts]) => facts.length > 0)).toEqual([])
    const anonymous = Object.entries(documents).filter(([, text]) => !isAnothers(text))
    expect(anonymous.map(([name]) => name)).toEqual(['/sandbox/assets/style.css'])
  })
})

describe('a shop address that changes while the map position stays the same', () => {
  it('removes the map marker from the home page and the position from the calendar file', async () => {
    expect(await read('/')).toContain('39.9242')
    await shop.database.owner.query(`update public.shop set street = '9 Other Lane'`)
    await vi.waitFor(async () => expect(await read('/')).toContain('9 Other Lane'), 10_000)
    const facts = await readShop(shop.database.database)
    expect(facts.position).toBeNull()
    const home = await read('/')
    for (const old of [
      '77 Sample Row',
      'Sample Row',
      '39.9242',
      '83.8088',
      'GeoCoordinates',
      '<iframe',
    ]) {
      expect(home).not.toContain(old)
    }
    const { 'calendar file': calendar = '' } = await rareLetters()
    expect(calendar).toContain('9 Other Lane')
    expect(calendar).not.toContain('GEO:')
  })

  it('keeps a map position that the owner enters together with the new address or later', async () => {
    const move = (columns: string) => shop.database.owner.query(`update public.shop set ${columns}`)
    const position = async () => (await readShop(shop.database.database)).position
    await move('latitude = 40.5, longitude = -83.5')
    await move(`name = 'Renamed'`)
    expect(await position()).toEqual({ latitude: 40.5, longitude: -83.5 })
    await move(`street = '10 Other Lane', latitude = 41.5`)
    expect(await position()).toEqual({ latitude: 41.5, longitude: -83.5 })
    await expect(move('latitude = null')).rejects.toThrow('shop_position_is_whole')
  })
})
