import type { ExpectedRecords } from './day-book.ts'
import type { StaffRequests } from './day-admin.ts'
import {
  ask,
  askForQuote,
  book,
  confirmBooking,
  confirmQuote,
  isFree,
  type Service,
  type Slot,
  upcomingSlots,
  type VisitorClient,
} from './visitor.ts'

type Scene = {
  readonly day: ExpectedRecords
  readonly services: readonly Service[]
  readonly desk: StaffRequests
  /** 0 to below 1, the same ones in every run. */
  readonly random: () => number
}

/** One visitor: of ten, four book, three ask for a quote, two pay an invoice, one looks around. */
export async function simulateVisitor(
  scene: Scene,
  visit: VisitorClient,
  number: number,
): Promise<void> {
  const email = `visitor${number}@example.com`
  await open(scene, visit, '/')
  const wish = number % 10
  if (wish < 4) await bookAppointment(scene, visit, email)
  else if (wish < 7) await requestQuote(scene, visit, email)
  else if (wish < 9) await payInvoice(scene, visit, email)
  else await open(scene, visit, '/privacy')
}

async function open({ day }: Scene, visit: VisitorClient, path: string): Promise<void> {
  const response = await ask(visit, 'GET', path)
  await response.text()
  if (!response.ok) day.surprises.push(`${path}: ${response.status}`)
}

async function bookAppointment(scene: Scene, visit: VisitorClient, email: string): Promise<void> {
  const { day, services } = scene
  await open(scene, visit, '/book-appointment')
  const service = pick(scene, services)
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const slot = await chooseSlot(scene, visit, service)
    if (!slot) continue
    const { status, code } = await book(visit, service, slot, email)
    if (status === 201) {
      day.booked.add(email)
      const confirmation = await confirmBooking(visit, service, slot, email)
      noteConfirmation(day, confirmation.status, email, day.bookingConfirmed)
      return
    }
    if (code === '23P01') day.tooLate += 1
    else day.surprises.push(`booking: ${status} ${code}`)
  }
  day.gaveUp += 1
}

/** Looks at one day as the page does, all its times at once, and takes one of the free ones. */
async function chooseSlot(
  scene: Scene,
  visit: VisitorClient,
  service: Service,
): Promise<Slot | undefined> {
  const all = upcomingSlots(service.duration_minutes, 30)
  const { date } = pick(scene, all)
  const times = all.filter((slot) => slot.date === date)
  const free = await Promise.all(times.map((slot) => isFree(visit, service, slot)))
  const open = times.filter((_, index) => free[index])
  return open.length > 0 ? pick(scene, open) : undefined
}

async function requestQuote(scene: Scene, visit: VisitorClient, email: string): Promise<void> {
  const { day } = scene
  await open(scene, visit, '/request-quote')
  const description = `It rattles when cold (${email}).`
  const { status, code } = await askForQuote(visit, email, description)
  if (status !== 201) return void day.surprises.push(`quote request: ${status} ${code}`)
  day.asked.add(email)
  const confirmation = await confirmQuote(visit, email, description)
  noteConfirmation(day, confirmation.status, email, day.quoteConfirmed)
}

/** A mail server that does not answer in time is no surprise: the page says so and the letter comes later. */
function noteConfirmation(
  day: ExpectedRecords,
  status: number,
  email: string,
  told: Set<string>,
): void {
  if (status !== 200 && status !== 502) day.surprises.push(`confirmation: ${status}`)
  if (status === 502) day.toldLater += 1
  told.add(email)
}

/** From the number on the invoice to the card; every third never comes back from the card page. */
async function payInvoice(scene: Scene, visit: VisitorClient, email: string): Promise<void> {
  const { day, desk } = scene
  const cents = 1_000 + Math.floor(scene.random() * 90_000)
  const invoice = await desk.makeInvoice(email, cents)
  await open(scene, visit, '/pay-invoice')
  const found = await post(scene, visit, '/api/invoice/lookup', { invoiceNumber: invoice.number })
  if (!found) return
  const opened = await post(scene, visit, '/api/create-checkout', { invoiceId: invoice.id })
  const checkout = opened?.['checkout'] as { url: string } | undefined
  if (!checkout) return
  const back = await enterCard(visit, checkout.url, email)
  if (!back) return void day.surprises.push('the card page did not take the card')
  day.paid.set(email, cents)
  if (cents % 3 === 0) return
  const sessionId = new URL(back, visit.url).searchParams.get('session_id') ?? ''
  await open(scene, visit, `/api/payment/session-verify?sessionId=${sessionId}`)
  await post(scene, visit, '/api/send-payment-confirmation', { invoiceId: invoice.id })
}

async function enterCard(visit: VisitorClient, url: string, email: string): Promise<string | null> {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': visit.address ?? '',
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
  visit: VisitorClient,
  path: string,
  body: object,
): Promise<Record<string, unknown> | undefined> {
  const response = await ask(visit, 'POST', path, body)
  const answer = (await response.json()) as Record<string, unknown>
  if (response.ok) return answer
  day.surprises.push(`${path}: ${response.status} ${String(answer['code'])}`)
  return undefined
}

function pick<Value>({ random }: Scene, values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)] as Value
}
