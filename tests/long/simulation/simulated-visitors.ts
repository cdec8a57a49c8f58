import type { ExpectedRecords } from './expected-records.ts'
import type { StaffRequests } from './simulated-staff.ts'
import {
  sendRequest,
  submitQuote,
  book,
  confirmBooking,
  confirmQuote,
  isFree,
  type Service,
  type Slot,
  upcomingSlots,
  type VisitorClient,
} from '#tests/long/support/visitor-client.ts'

type Scene = {
  readonly day: ExpectedRecords
  readonly services: readonly Service[]
  readonly staffRequests: StaffRequests
  /** Returns random numbers from 0 to below 1, the same in every run. */
  readonly random: () => number
}

/**
 * Simulates one visitor. Of ten visitors, four book, three request a quote, two pay an invoice, one only reads pages.
 */
export async function simulateVisitor(
  scene: Scene,
  client: VisitorClient,
  number: number,
): Promise<void> {
  const email = `visitor${number}@example.com`
  await open(scene, client, '/')
  const choice = number % 10
  if (choice < 4) await bookAppointment(scene, client, email)
  else if (choice < 7) await requestQuote(scene, client, email)
  else if (choice < 9) await payInvoice(scene, client, email)
  else await open(scene, client, '/privacy')
}

async function open({ day }: Scene, client: VisitorClient, path: string): Promise<void> {
  const response = await sendRequest(client, 'GET', path)
  await response.text()
  if (!response.ok) day.unexpected.push(`${path}: ${response.status}`)
}

async function bookAppointment(scene: Scene, client: VisitorClient, email: string): Promise<void> {
  const { day, services } = scene
  await open(scene, client, '/book-appointment')
  const service = pick(scene, services)
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const slot = await chooseSlot(scene, client, service)
    if (!slot) continue
    const { status, code } = await book(client, service, slot, email)
    if (status === 201) {
      day.booked.add(email)
      const confirmation = await confirmBooking(client, service, slot, email)
      recordConfirmation(day, confirmation.status, email, day.bookingConfirmed)
      return
    }
    if (code === '23P01') day.tooLate += 1
    else day.unexpected.push(`booking: ${status} ${code}`)
  }
  day.gaveUp += 1
}

/** Checks all times of one day in parallel, as the page does, and returns a free time. */
async function chooseSlot(
  scene: Scene,
  client: VisitorClient,
  service: Service,
): Promise<Slot | undefined> {
  const all = upcomingSlots(service.duration_minutes, 30)
  const { date } = pick(scene, all)
  const times = all.filter((slot) => slot.date === date)
  const free = await Promise.all(times.map((slot) => isFree(client, service, slot)))
  const open = times.filter((_, index) => free[index])
  return open.length > 0 ? pick(scene, open) : undefined
}

async function requestQuote(scene: Scene, client: VisitorClient, email: string): Promise<void> {
  const { day } = scene
  await open(scene, client, '/request-quote')
  const description = `It rattles when cold (${email}).`
  const { status, code } = await submitQuote(client, email, description)
  if (status !== 201) return void day.unexpected.push(`quote request: ${status} ${code}`)
  day.quoteRequested.add(email)
  const confirmation = await confirmQuote(client, email, description)
  recordConfirmation(day, confirmation.status, email, day.quoteConfirmed)
}

/** A slow mail server is no failure: the page states that the email will follow, and the shop sends the email later. */
function recordConfirmation(
  day: ExpectedRecords,
  status: number,
  email: string,
  confirmed: Set<string>,
): void {
  if (status !== 200 && status !== 502) day.unexpected.push(`confirmation: ${status}`)
  if (status === 502) day.confirmedLater += 1
  confirmed.add(email)
}

/**
 * Looks up the invoice by its number and pays on the card page. Every third visitor does not return to the shop
 * afterwards.
 */
async function payInvoice(scene: Scene, client: VisitorClient, email: string): Promise<void> {
  const { day, staffRequests } = scene
  const cents = 1_000 + Math.floor(scene.random() * 90_000)
  const invoice = await staffRequests.makeInvoice(email, cents)
  await open(scene, client, '/pay-invoice')
  const found = await post(scene, client, '/api/invoice/lookup', { invoiceNumber: invoice.number })
  if (!found) return
  const opened = await post(scene, client, '/api/create-checkout', { invoiceId: invoice.id })
  const checkout = opened?.['checkout'] as { url: string } | undefined
  if (!checkout) return
  const back = await enterCard(client, checkout.url, email)
  if (!back) return void day.unexpected.push('the card page did not accept the card')
  day.paid.set(email, cents)
  if (cents % 3 === 0) return
  const sessionId = new URL(back, client.url).searchParams.get('session_id') ?? ''
  await open(scene, client, `/api/payment/session-verify?sessionId=${sessionId}`)
  await post(scene, client, '/api/send-payment-confirmation', { invoiceId: invoice.id })
}

async function enterCard(
  client: VisitorClient,
  url: string,
  email: string,
): Promise<string | null> {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': client.address ?? '',
    },
    body: new URLSearchParams({
      email,
      number: '4242 4242 4242 4242',
      expiry: '12 / 34',
      cvc: '123',
      name: 'Dana Whitfield',
    }),
  })
  await response.text()
  return response.headers.get('location')
}

async function post(
  { day }: Scene,
  client: VisitorClient,
  path: string,
  body: object,
): Promise<Record<string, unknown> | undefined> {
  const response = await sendRequest(client, 'POST', path, body)
  const result = (await response.json()) as Record<string, unknown>
  if (response.ok) return result
  day.unexpected.push(`${path}: ${response.status} ${String(result['code'])}`)
  return undefined
}

function pick<Value>({ random }: Scene, values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)] as Value
}
