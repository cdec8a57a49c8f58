import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  addService,
  admin,
  type BookingRow,
  bookingRow,
  insertRow,
  formBot,
  refusalTo,
  fixtureClock,
  visitor,
} from '#tests/support/database/database-fixtures.ts'

/*
 * In these tests an attacker knows the name and the phone number of a regular customer and enters the attacker's own
 * email address in a booking or a quote request. No estimate, phone booking or customer record may use that email
 * address.
 */

let shop: TestDatabase
let serviceId: string
beforeAll(async () => {
  shop = await createTestDatabase()
  await setShopClock(shop.owner, fixtureClock)
  serviceId = await addService(shop, 'Story, 30 minutes', 30)
})
afterAll(() => shop.drop())
beforeEach(async () => {
  await shop.owner
    .query(`${truncateTables('public.bookings', 'public.quote_requests', 'public.customers', 'public.estimates', 'public.emails')};
    delete from internal.form_origins; delete from internal.rate_limits`)
  slot = 0
})

const visitorEmail = 'mallory@stranger.example'
const own = 'dana@example.com'

const runQuery = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await shop.owner.query<Row>(sql, values)).rows
const asAdmin = <Row extends object>(sql: string, values: unknown[] = []) =>
  shop.database.transaction(admin, (query) => query.unchecked<Row>(sql, values))
async function one<Row extends object>(rows: Promise<Row[]>): Promise<Row> {
  const [row] = await rows
  if (!row) throw new Error('Nothing was read.')
  return row
}

let slot = 0
function nextTime() {
  const day = 21 + Math.floor(slot / 10)
  const hour = 11 + (slot % 10) / 2
  slot += 1
  return {
    appointment_date: `2026-11-${day}`,
    appointment_time: `${Math.floor(hour)}:${hour % 1 ? '30' : '00'}`,
  }
}
/** Books online and returns the id of the booking; the default name and phone number are those of the customer Dana. */
async function book(change: BookingRow = {}, as = visitor): Promise<string> {
  const time = nextTime()
  await shop.database.transaction(as, (query) =>
    insertRow(query, 'bookings', bookingRow(serviceId, { ...time, ...change })),
  )
  const { id } = await one(
    runQuery<{ id: string }>(
      'select id from public.bookings where appointment_date = $1 and appointment_time = $2',
      [time.appointment_date, time.appointment_time],
    ),
  )
  return id
}
async function call(email: string | null = null, name = 'Dana Whitfield'): Promise<string> {
  const { id } = await one(
    asAdmin<{ id: string }>(
      `select id from public.book_by_phone(service_id => $1, appointment_date => $2, appointment_time => $3,
         customer_name => $4, customer_phone => '650-555-0167', customer_email => $5)`,
      [serviceId, ...Object.values(nextTime()), name, email],
    ),
  )
  return id
}
async function requestQuote(email = visitorEmail): Promise<string> {
  await shop.database.transaction(visitor, (query) =>
    insertRow(query, 'quote_requests', {
      name: 'Dana Whitfield',
      email,
      phone: '(650) 555-0167',
      vehicle_year: '2019',
      vehicle_make: 'Subaru',
      vehicle_model: 'Outback',
      description: 'A clunk from the left.',
      status: 'pending',
    }),
  )
  const { id } = await one(runQuery<{ id: string }>('select id from public.quote_requests'))
  return id
}
const customerIdOf = async (bookingId: string) =>
  (
    await one(
      runQuery<{ customer_id: string }>('select customer_id from public.bookings where id = $1', [
        bookingId,
      ]),
    )
  ).customer_id
/** Creates an estimate and returns its email address. */
async function recipientOf(source: Record<string, string>): Promise<string> {
  const { id } = (
    await one(
      asAdmin<{ made: { id: string } }>('select public.create_estimate($1) as made', [source]),
    )
  ).made
  return (
    await one(
      runQuery<{ customer_email: string }>(
        'select customer_email from public.estimates where id = $1',
        [id],
      ),
    )
  ).customer_email
}
const emailOfCustomer = async () =>
  (
    await asAdmin<{ customer_email: string | null }>(
      `select customer_email from public.find_customers('6505550167')`,
    )
  ).map(({ customer_email }) => customer_email)
const addressesOf = async (customer: string) =>
  (
    await runQuery<{ value: string }>(
      `select value from public.customer_contact_methods where kind = 'email' and customer_id = $1 order by id`,
      [customer],
    )
  ).map(({ value }) => value)
const typedOf = async (bookingId: string) =>
  (
    await one(
      asAdmin<{ facts: { unconfirmedEmails: { email: string; bookingId: string | null }[] } }>(
        'select public.read_customer_highlights($1) as facts',
        [bookingId],
      ),
    )
  ).facts.unconfirmedEmails.map(({ email }) => email)
const use = (bookingId: string) =>
  asAdmin('select public.accept_unconfirmed_email(booking_id => $1)', [bookingId])

describe('an email address that was entered online under the name of a known customer', () => {
  it('is not added to a customer without an email address', async () => {
    const existing = await call()
    const onlineBooking = await book({ customer_email: visitorEmail })
    expect(await customerIdOf(onlineBooking)).toBe(await customerIdOf(existing))
    expect(await addressesOf(await customerIdOf(existing))).toEqual([])
    expect(await runQuery('select email from public.customers')).toEqual([{ email: null }])
    expect(await recipientOf({ bookingId: onlineBooking })).toBe('')
    expect(await recipientOf({ bookingId: existing })).toBe('')
    expect(await recipientOf({ customerId: await customerIdOf(existing) })).toBe('')
    expect(await emailOfCustomer()).toEqual([null])
  })

  it('is not added to a customer with a different email address', async () => {
    const existing = await call(own)
    const onlineBooking = await book({ customer_email: visitorEmail })
    expect(await customerIdOf(onlineBooking)).toBe(await customerIdOf(existing))
    expect(await addressesOf(await customerIdOf(existing))).toEqual([own])
    expect(await recipientOf({ bookingId: onlineBooking })).toBe(own)
    expect(await recipientOf({ bookingId: existing })).toBe(own)
    expect(await emailOfCustomer()).toEqual([own])
  })

  it('is used neither for an estimate nor for an invoice when it was entered in a quote request', async () => {
    await call()
    const quote = await requestQuote()
    expect(await recipientOf({ quoteRequestId: quote })).toBe('')
    expect(await asAdmin('select public.read_quote_email($1) as email', [quote])).toEqual([
      { email: null },
    ])
    await call(own)
    expect(await asAdmin('select public.read_quote_email($1) as email', [quote])).toEqual([
      { email: own },
    ])
  })

  it('is listed for staff as entered online, together with the booking that contains it', async () => {
    const existing = await call(own)
    const onlineBooking = await book({ customer_email: visitorEmail })
    expect(await typedOf(existing)).toEqual([visitorEmail])
    expect(await typedOf(onlineBooking)).toEqual([visitorEmail])
    await book({ customer_email: visitorEmail.toUpperCase() })
    expect(await typedOf(existing)).toEqual([visitorEmail.toUpperCase()])
    const { customer } = await one(
      asAdmin<{ customer: { contacts: { value: string; isConfirmed: boolean }[] } }>(
        'select public.read_customer($1) as customer',
        [await customerIdOf(existing)],
      ),
    )
    expect(customer.contacts).toMatchObject([
      { value: own, isConfirmed: true },
      { value: '650-555-0167', isConfirmed: true },
    ])
  })

  it('is not listed for staff when the appointment is held, cancelled, a no-show or unconfirmed', async () => {
    const existing = await call(own)
    const held = await book({ customer_email: 'held@stranger.example' }, formBot)
    const ended = await book({ customer_email: visitorEmail })
    for (const status of ['cancelled', 'no_show', 'not_confirmed']) {
      await runQuery(
        `update public.bookings set status = $2, appointment_date = '2026-11-20', appointment_time = '09:00' where id = $1`,
        [ended, status],
      )
      expect(await typedOf(existing)).toEqual([])
      expect(await emailOfCustomer()).toEqual([own])
      await expect(use(ended)).rejects.toMatchObject({ code: 'TT100' })
    }
    await expect(use(held)).rejects.toMatchObject({ code: 'TT100' })
    expect(await addressesOf(await customerIdOf(existing))).toEqual([own])
  })

  it('is used neither for a phone booking nor for an estimate when its booking looks automated', async () => {
    await book({ customer_email: visitorEmail }, formBot)
    expect(await emailOfCustomer()).toEqual([null])
    const existing = await call()
    expect(await recipientOf({ bookingId: existing })).toBe('')
  })

  it('becomes an email address of the customer when staff confirm it', async () => {
    const existing = await call(own)
    const onlineBooking = await book({ customer_email: visitorEmail })
    expect(await use(onlineBooking)).toEqual([{ accept_unconfirmed_email: visitorEmail }])
    expect(await use(onlineBooking)).toEqual([{ accept_unconfirmed_email: visitorEmail }])
    expect(await typedOf(existing)).toEqual([])
    expect(await recipientOf({ bookingId: onlineBooking })).toBe(visitorEmail)
    // The customer's main email address is unchanged.
    expect(await runQuery('select email from public.customers')).toEqual([{ email: own }])
    expect(
      await runQuery(
        `select confirmed_by_name from public.customer_contact_methods where value = '${visitorEmail}'`,
      ),
    ).toEqual([{ confirmed_by_name: 'ana' }])
  })

  it('becomes the main email address of a customer who has none when staff confirm it', async () => {
    await call()
    await use(await book({ customer_email: visitorEmail }))
    expect(await runQuery('select email from public.customers')).toEqual([{ email: visitorEmail }])
    expect(await emailOfCustomer()).toEqual([visitorEmail])
  })

  it('can be confirmed by staff only', async () => {
    await call(own)
    const onlineBooking = await book({ customer_email: visitorEmail })
    const refusal = await refusalTo(shop.database, visitor, (query) =>
      query.unchecked('select public.accept_unconfirmed_email(booking_id => $1)', [onlineBooking]),
    )
    expect(refusal.code).toBe('42501')
  })

  it('is found by the search, but a later record with this address is not linked to the customer', async () => {
    const existing = await call(own)
    await book({ customer_email: visitorEmail })
    const { found } = await one(
      asAdmin<{ found: { customers: { id: string; email: string }[] } }>(
        'select public.search_everything($1) as found',
        [visitorEmail],
      ),
    )
    expect(found.customers).toMatchObject([{ id: await customerIdOf(existing), email: own }])
    const theirs = await book({
      customer_name: 'Mallory',
      customer_email: visitorEmail,
      customer_phone: '(650) 555-0111',
    })
    expect(await customerIdOf(theirs)).not.toBe(await customerIdOf(existing))
  })

  it('receives the emails about the appointment in which it was entered', async () => {
    await call(own)
    const onlineBooking = await book({ customer_email: visitorEmail })
    expect(
      await runQuery('select customer_email from public.bookings where id = $1', [onlineBooking]),
    ).toEqual([{ customer_email: visitorEmail }])
  })

  it('is not copied to the new customer when a vehicle is split off', async () => {
    await call(own)
    const onlineBooking = await book({ customer_email: visitorEmail })
    const vehicle = await one(
      runQuery<{ id: string; version: number }>(
        'select car.id, car.version from public.vehicles car join public.bookings on vehicle_id = car.id where bookings.id = $1',
        [onlineBooking],
      ),
    )
    const { customer } = await one(
      asAdmin<{ customer: string }>('select public.split_vehicle($1, $2) as customer', [
        vehicle.id,
        vehicle.version,
      ]),
    )
    expect(await runQuery('select email from public.customers where id = $1', [customer])).toEqual([
      { email: null },
    ])
  })
})

describe('a new customer', () => {
  it('gets the email address that was entered in the first booking', async () => {
    const first = await book()
    expect(await recipientOf({ bookingId: first })).toBe(own)
    expect(await emailOfCustomer()).toEqual([own])
    expect(await typedOf(first)).toEqual([])
  })

  it('gets no email address from a first booking that is cancelled', async () => {
    const first = await book()
    await runQuery(`update public.bookings set status = 'cancelled' where id = $1`, [first])
    expect(await emailOfCustomer()).toEqual([null])
    expect(await recipientOf({ bookingId: await call() })).toBe('')
  })

  it('is created for a booking under another name, even when a customer with the same phone number is known', async () => {
    const existing = await call(own)
    const other = await book({
      customer_name: 'Luis Whitfield',
      customer_email: 'luis@example.com',
    })
    expect(await customerIdOf(other)).not.toBe(await customerIdOf(existing))
    expect(await recipientOf({ bookingId: other })).toBe('luis@example.com')
  })
})

describe('merging two customers', () => {
  /**
   * A visitor books under the misspelled name of an existing customer. Staff then merge the new customer with the
   * existing customer as duplicates.
   */
  async function mergeMisspelled(ownEmail: string | null, fromDuplicate: string[] = []) {
    const existing = await call(ownEmail)
    const onlineBooking = await book({
      customer_name: 'Dana Withfield',
      customer_email: visitorEmail,
    })
    const read = async (id: string) =>
      one(
        runQuery<{ id: string; version: number }>(
          'select id, version from public.customers where id = $1',
          [id],
        ),
      )
    const [survivor, duplicate] = [
      await read(await customerIdOf(existing)),
      await read(await customerIdOf(onlineBooking)),
    ]
    expect(survivor.id).not.toBe(duplicate.id)
    await asAdmin('select public.merge_customers($1, $2, $3, $4, $5)', [
      survivor.id,
      duplicate.id,
      survivor.version,
      duplicate.version,
      fromDuplicate,
    ])
    return { existing: existing, onlineBooking, customer: survivor.id }
  }
  const mainOf = (customer: string) =>
    runQuery('select email from public.customers where id = $1', [customer])

  it('keeps the main email address of the surviving customer if the duplicate’s address was only entered online', async () => {
    const { existing, onlineBooking, customer } = await mergeMisspelled(own)
    expect(await mainOf(customer)).toEqual([{ email: own }])
    expect(await recipientOf({ bookingId: onlineBooking })).toBe(own)
    expect(await typedOf(existing)).toEqual([visitorEmail])
    await use(onlineBooking)
    expect(await typedOf(existing)).toEqual([])
  })

  it('leaves a surviving customer without an email address unless staff choose the address that was entered online', async () => {
    const { onlineBooking, customer } = await mergeMisspelled(null)
    expect(await mainOf(customer)).toEqual([{ email: null }])
    expect(await recipientOf({ bookingId: onlineBooking })).toBe('')
  })

  it('makes the email address that staff choose the main email address of the surviving customer', async () => {
    const { onlineBooking, customer } = await mergeMisspelled(null, ['email'])
    expect(await mainOf(customer)).toEqual([{ email: visitorEmail }])
    expect(await recipientOf({ bookingId: onlineBooking })).toBe(visitorEmail)
  })
})

describe('the email that asks a customer to confirm a new address', () => {
  const listAddressesToAsk = () =>
    shop.database.transaction({ role: 'shop_server' }, (query) =>
      query.unchecked<{ booking_id: string; recipient_email: string }>(
        'select * from internal.addresses_to_ask(100)',
      ),
    )

  it('is sent once, to the known email address of the customer', async () => {
    await call(own)
    const onlineBooking = await book({ customer_email: visitorEmail })
    expect(await listAddressesToAsk()).toEqual([
      { booking_id: onlineBooking, recipient_email: own },
    ])
    await runQuery(
      `insert into public.emails (kind, dedupe_key, recipient_email, recipient_name, subject, html_body, text_body, booking_id)
       values ('address_question', 'story', $1, '', 's', 'h', 't', $2)`,
      [own, onlineBooking],
    )
    await book({ customer_email: visitorEmail })
    expect(await listAddressesToAsk()).toEqual([])
  })

  it('is not sent for customers without a known email address, new customers, held or cancelled bookings, or phone bookings', async () => {
    await call(null, 'Luis Delgado')
    await book({ customer_name: 'Luis Delgado', customer_email: visitorEmail })
    await book({ customer_name: 'Nora Quist', customer_email: 'nora@example.com' })
    await call('work@example.com', 'Nora Quist')
    await call(own)
    await book({ customer_email: 'held@stranger.example' }, formBot)
    const cancelled = await book({ customer_email: 'gone@stranger.example' })
    await runQuery(`update public.bookings set status = 'cancelled' where id = $1`, [cancelled])
    expect(await listAddressesToAsk()).toEqual([])
  })

  it('is not sent between 9 PM and 8 AM', async () => {
    await call(own)
    await book({ customer_email: visitorEmail })
    await setShopClock(shop.owner, '2026-11-21T06:30:00Z')
    expect(await listAddressesToAsk()).toEqual([])
    await setShopClock(shop.owner, fixtureClock)
  })
})
