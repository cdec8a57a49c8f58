import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { createEstimateClient } from '#tests/support/estimates/estimate-client.ts'
import { estimateDocument, estimateJob } from '#tests/support/estimates/estimates.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  addService,
  admin,
  bookingRow,
  insertRow,
  fixtureClock,
  visitor,
} from '#tests/support/database/database-fixtures.ts'

let shop: TestApp
let estimateClient: ReturnType<typeof createEstimateClient>
let serviceId: string
let hour = 9
beforeAll(async () => {
  shop = await createTestApp({ config: { rateLimits: 'off' } })
  estimateClient = createEstimateClient(shop.database)
  serviceId = await addService(shop.database, 'Clutch Check', 60)
})
afterAll(() => shop.close())
beforeEach(() => setShopClock(shop.database.owner, fixtureClock))

const brakes = randomUUID()
const filter = randomUUID()
const document = () =>
  estimateDocument([
    estimateJob({ key: brakes }),
    estimateJob({ key: filter, title: 'Cabin air filter', isNeeded: false }),
  ])

/** Books an appointment on Saturday and sets its state, by default 'in_work' (the repair has begun). */
async function addBooking(state = 'in_work') {
  hour += 1
  const time = `${String(hour).padStart(2, '0')}:30`
  await shop.database.database.transaction(visitor, (query) =>
    insertRow(
      query,
      'bookings',
      bookingRow(serviceId, {
        appointment_time: time,
        customer_phone: `(650) 555-01${hour}`,
        customer_email: `dana${hour}@example.com`,
      }),
    ),
  )
  const { rows } = await shop.database.owner.query<{ id: string; path: string }>(
    `update public.bookings set status = $1 where appointment_time = $2
     returning id, '/visit/' || public.visit_page_token(id) as path`,
    [state, time],
  )
  const [booking] = rows
  if (!booking) throw new Error('There is no appointment.')
  await setShopClock(shop.database.owner, '2026-11-28T23:00:00Z')
  return booking
}
const textOf = async (path: string) => {
  const { body } = await shop.inject({ url: path })
  return body.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
}
const taskOf = async (bookingId: string) => {
  const { rows } = await shop.database.owner.query<{ id: string }>(
    'select id from public.tasks where booking_id = $1 order by created_at',
    [bookingId],
  )
  return rows[0]?.id ?? ''
}
const setStatus = (task: string, status: string, note: string | null = null) =>
  estimateClient.call(admin, `public.update_task_status($1, $2, $3, null, 'ana')`, [
    task,
    status,
    note,
  ])
const setCustomerNote = (task: string, note: string) =>
  estimateClient.call(admin, 'public.set_task_customer_note($1, $2)', [task, note])

/**
 * Creates a booking whose repair has begun: the customer approved the brake job by phone, and staff created a task for
 * it.
 */
async function atWork() {
  const booking = await addBooking()
  const id = await estimateClient.write(document(), { bookingId: booking.id })
  await estimateClient.freeze(id)
  await estimateClient.record(id, { [brakes]: 'approved', [filter]: 'declined' })
  await estimateClient.call(admin, 'public.create_estimate_tasks($1)', [id])
  return { ...booking, estimateId: id, task: await taskOf(booking.id) }
}

describe('the repair status on the visit page', () => {
  it('shows the estimate while the estimate waits for a decision and the vehicle is at the shop', async () => {
    const booking = await addBooking('arrived')
    const id = await estimateClient.write(document(), { bookingId: booking.id })
    expect(await textOf(booking.path)).not.toContain('estimate is ready')
    await estimateClient.freeze(id)
    const { body } = await shop.inject({ url: booking.path })
    expect(body).toContain('Your estimate is ready')
    expect(body).toContain(`action="${await estimateClient.path(id)}/approve#result"`)
    expect(body).toMatch(/aria-current="step"><i><\/i><b>Estimate<\/b>/)
    expect(body).not.toContain(booking.path)
  })

  it("is hidden when the booking's email address is not a confirmed address of the customer", async () => {
    const booking = await atWork()
    await bill(booking.estimateId)
    expect(await textOf(booking.path)).toContain('Front brakes')
    // The customer's confirmed email address now differs from the email address of the booking, so the person who opens
    // the page may not be the customer.
    await shop.database.owner.query(
      `update public.customer_contact_methods set match_key = 'known@example.com', value = match_key
       where kind = 'email' and customer_id = (select customer_id from public.bookings where id = $1)`,
      [booking.id],
    )
    await setCustomerNote(booking.task, 'pads arrive Friday')
    const { body } = await shop.inject({ url: booking.path })
    for (const part of [
      'Front brakes',
      'Cabin air filter',
      '292.95',
      'Maria Delgado',
      'pads arrive',
      'TT-0148',
      (await estimateClient.path(booking.estimateId)) ?? 'no path',
    ]) {
      expect(body).not.toContain(part)
    }
    await estimateClient.call(admin, 'public.accept_unconfirmed_email($1)', [booking.id])
    expect(await textOf(booking.path)).toContain('Front brakes')
  })

  it('links to the estimate before the vehicle arrives', async () => {
    const booking = await addBooking('confirmed')
    await setShopClock(shop.database.owner, fixtureClock)
    const id = await estimateClient.write(document(), { bookingId: booking.id })
    await estimateClient.freeze(id)
    const { body } = await shop.inject({ url: booking.path })
    expect(body).toContain('See you Saturday')
    expect(body).toContain(`href="${await estimateClient.path(id)}"`)
  })

  it('does not replace time, service, place and vehicle when an estimate is approved before the appointment', async () => {
    const booking = await addBooking('confirmed')
    await setShopClock(shop.database.owner, fixtureClock)
    const id = await estimateClient.write(document(), { bookingId: booking.id })
    await estimateClient.freeze(id)
    await estimateClient.record(id, { [brakes]: 'approved', [filter]: 'declined' })
    const { body } = await shop.inject({ url: booking.path })
    expect(body).toContain('See you Saturday')
    for (const [name, value] of [
      ['When', 'Saturday, November 28, 2026'],
      ['What', 'Clutch Check'],
      ['Where', defaultShop.address.street],
      ['Vehicle', '2019 Subaru Outback'],
    ]) {
      expect(body).toMatch(new RegExp(`<dt>${name}</dt>\\s*<dd>${value}`))
    }
  })

  it('shows what the repair is waiting for, with the note that staff wrote for the customer', async () => {
    const { path, task } = await atWork()
    await setStatus(task, 'waiting_on_parts', 'Ordered at half the price we charge')
    expect(await textOf(path)).toContain('Waiting on parts Your car is with us')
    await setCustomerNote(task, 'pads arrive Friday')
    const text = await textOf(path)
    expect(text).toContain('Waiting on parts: pads arrive Friday')
    expect(text).toContain('Waiting on parts: Front brakes')
    expect(text).toContain('You approved 1 of 2 jobs by phone: $292.95')
    expect(text).toContain('Front brakes Maria Delgado, by phone with ana')
    expect(text).not.toContain('half the price')
    await setStatus(task, 'in_progress')
    expect(await textOf(path)).toContain('We are working on your car')
    await setStatus(task, 'waiting_on_parts')
    expect(await textOf(path)).not.toContain('pads arrive Friday')
  })

  it('never shows the titles of tasks, which staff write for internal use', async () => {
    const booking = await addBooking()
    await shop.database.owner.query(
      `insert into public.tasks (title, booking_id) values ('He never pays on time', $1)`,
      [booking.id],
    )
    const task = await taskOf(booking.id)
    await setStatus(task, 'waiting_on_parts')
    const text = await textOf(booking.path)
    expect(text).toContain('Waiting on parts')
    expect(text).not.toContain('pays on time')
  })

  it('shows the pickup time, the amount to pay and the postponed jobs when the vehicle is ready', async () => {
    const { path, task, estimateId } = await atWork()
    await setStatus(task, 'completed')
    expect(await textOf(path)).toContain('We are working on your car')
    await estimateClient.call(admin, 'public.mark_task_ready_for_pickup($1)', [task])
    const text = await textOf(path)
    expect(text).toContain('Your car is ready. Pick it up by 9:00 PM.')
    expect(text).toContain('Ready for pickup')
    expect(text).toContain('Can wait: Cabin air filter, $292.95.')
    expect(text).not.toContain('Pay $')
    await bill(estimateId)
    const { body } = await shop.inject({ url: path })
    expect(body).toContain('Pay $292.95 now')
    expect(body).toContain('href="/pay-invoice?invoice=TT-0148')
    await setShopClock(shop.database.owner, '2026-11-29T06:00:00Z')
    expect(await textOf(path)).toContain('Your car is ready. We are closed now.')
  })

  it('shows the received payment and thanks the customer after the invoice was paid', async () => {
    const { path, task, estimateId } = await atWork()
    await setStatus(task, 'completed')
    await estimateClient.call(admin, 'public.mark_task_ready_for_pickup($1)', [task])
    const invoiceId = await bill(estimateId)
    await shop.database.owner.query(
      `insert into public.payments (invoice_id, payment_intent_id, amount_cents, currency, kind, method, paid_at)
       values ($1, $2, 29295, 'usd', 'payment', 'card_online', '2026-11-28T23:41:00Z')`,
      [invoiceId, `pi_${randomUUID()}`],
    )
    const text = await textOf(path)
    expect(text).toContain('Paid. Thank you, Dana.')
    expect(text).toContain('$292.95 received Saturday, November 28, 3:41 PM.')
    expect(text).toContain('Invoice and receipt')
    expect(text).not.toContain('Pay $')
  })

  it("does not say 'There is no charge' if an invoice exists, neither before nor after a cancellation", async () => {
    const booking = await addBooking('confirmed')
    await setShopClock(shop.database.owner, fixtureClock)
    const id = await estimateClient.write(document(), { bookingId: booking.id })
    await estimateClient.freeze(id)
    await estimateClient.record(id, { [brakes]: 'approved', [filter]: 'declined' })
    const post = (below: string, seen: string) =>
      shop.inject({
        method: 'POST',
        url: `${booking.path}/${below}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ seen }).toString(),
      })
    const readCancelPage = async () => (await shop.inject({ url: `${booking.path}/cancel` })).body
    expect(await readCancelPage()).toContain('There is no charge')
    await bill(id)
    expect(await readCancelPage()).toContain('Your time becomes available to others.')
    expect(await readCancelPage()).not.toContain('no charge')
    expect((await post('cancel', '0')).statusCode).toBe(303)
    const refused = await post('restore', '7')
    expect(refused.statusCode).toBe(409)
    expect(refused.body).toContain('Your appointment is cancelled')
    expect(refused.body).not.toContain('no charge')
    const { rows } = await shop.database.owner.query<{ text: string }>(
      `select text_body || html_body as text from public.emails where kind = 'booking_cancelled' and booking_id = $1`,
      [booking.id],
    )
    expect(rows[0]?.text).toContain('The appointment below is cancelled.')
    expect(rows[0]?.text).not.toContain('no charge')
  })
})

/** Records a fictional Stripe invoice as the invoice of an estimate. Returns the id of the invoice. */
async function bill(estimateId: string): Promise<string> {
  const { requestId } = await estimateClient.bill(estimateId)
  const invoiceId = `in_${randomUUID().slice(0, 8)}`
  await estimateClient.recordBilled(requestId, invoiceId, `TT-0148-${invoiceId.slice(3)}`)
  return invoiceId
}
