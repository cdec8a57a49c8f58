import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import {
  addService,
  admin,
  fixtureClock,
  refusalTo,
  signedInStranger,
  visitor,
} from '#tests/support/database/database-fixtures.ts'
import { createEstimateClient } from '#tests/support/estimates/estimate-client.ts'

/*
 * Staff edit a booking: its service, vehicle and contact. A changed contact either corrects the customer record or
 * transfers the booking to another customer.
 */

let shop: TestDatabase
let brakesId: string
let longId: string
beforeAll(async () => {
  shop = await createTestDatabase()
  brakesId = await addService(shop, 'Brake check', 60)
  longId = await addService(shop, 'Clutch', 240)
  await shop.owner.query('update public.services set price_from_cents = 90000 where id = $1', [
    longId,
  ])
})
afterAll(() => shop.drop())
beforeEach(async () => {
  await shop.owner.query(
    truncateTables('public.bookings', 'public.customers', 'public.vehicles', 'public.estimates'),
  )
  await setShopClock(shop.owner, fixtureClock)
})

type Booking = {
  id: string
  version: number
  service_id: string
  service_name: string
  service_price_cents: number | null
  appointment_date: string
  appointment_time: string
  duration_minutes: number
  customer_name: string
  customer_phone: string
  customer_email: string | null
  vehicle_year: string | null
  vehicle_make: string | null
  vehicle_model: string | null
  vehicle_color: string | null
  customer_id: string
  vehicle_id: string | null
  link_version: number
}
type Values = Record<string, unknown>

const calling = (name: string, values: Values) => ({
  sql: `select * from public.${name}(${Object.keys(values)
    .map((key, index) => `${key} => $${index + 1}`)
    .join(', ')})`,
  values: Object.values(values),
})
async function call(name: string, values: Values): Promise<Booking> {
  const { sql, values: given } = calling(name, values)
  const [row] = await shop.database.transaction(admin, (query) =>
    query.unchecked<Booking>(sql, given),
  )
  if (!row) throw new Error(`${name} returned nothing.`)
  return row
}
const book = (change: Values = {}) =>
  call('book_by_phone', {
    service_id: brakesId,
    appointment_date: '2026-11-28',
    appointment_time: '13:30',
    customer_name: 'Sam Okafor',
    customer_phone: '(650) 555-0155',
    customer_email: 'sam@customer.example',
    vehicle_year: '2015',
    vehicle_make: 'Honda',
    vehicle_model: 'Accord',
    ...change,
  })
/** Returns the arguments of an edit that changes only the fields in `change`. */
const edit = (booking: Booking, change: Values = {}): Values => ({
  booking_id: booking.id,
  seen_version: booking.version,
  service_id: booking.service_id,
  appointment_date: booking.appointment_date,
  appointment_time: booking.appointment_time,
  customer_name: booking.customer_name,
  customer_phone: booking.customer_phone,
  customer_email: booking.customer_email,
  vehicle_year: booking.vehicle_year,
  vehicle_make: booking.vehicle_make,
  vehicle_model: booking.vehicle_model,
  vehicle_color: booking.vehicle_color,
  ...change,
})
const refusalOf = (values: Values, identity = admin) => {
  const { sql, values: given } = calling('edit_booking', values)
  return refusalTo(shop.database, identity, (query) => query.unchecked(sql, given))
}
const read = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await shop.owner.query<Row>(sql, values)).rows
const lastEvent = async (id: string) => {
  const [event] = await read<{ kind: string; before: Values; after: Values; warnings: string[] }>(
    'select kind, before, after, warnings from public.booking_events where booking_id = $1 order by id desc limit 1',
    [id],
  )
  return event
}

describe('an edit of the service', () => {
  it('stores the current name, price and duration of the service and keeps the start', async () => {
    const booked = await book()
    expect(await call('edit_booking', edit(booked, { service_id: longId }))).toMatchObject({
      service_name: 'Clutch',
      service_price_cents: 90000,
      duration_minutes: 240,
      appointment_time: '13:30:00',
      version: booked.version + 1,
    })
    expect(await lastEvent(booked.id)).toEqual({
      kind: 'edited',
      before: { service: 'Brake check', minutes: 60 },
      after: { service: 'Clutch', minutes: 240, edited: ['service'] },
      warnings: [],
    })
  })

  it('is refused with the next three free times when the new service does not fit, and is saved at one of these times', async () => {
    const booked = await book()
    const next = await book({ appointment_time: '15:00', customer_phone: '(650) 555-0156' })
    const { sql, values } = calling('edit_booking', edit(booked, { service_id: longId }))
    const error: unknown = await shop.database
      .transaction(admin, (query) => query.unchecked(sql, values))
      .catch((caught: unknown) => caught)
    const detail = JSON.parse((error as { detail: string }).detail) as {
      in_the_way: string[]
      free_times: { date: string; time: string }[]
    }
    expect(detail.in_the_way).toEqual([next.id])
    expect(detail.free_times).toHaveLength(3)
    const [free] = detail.free_times
    const moved = await call(
      'edit_booking',
      edit(booked, {
        service_id: longId,
        appointment_date: free?.date,
        appointment_time: free?.time,
      }),
    )
    expect(moved).toMatchObject({ service_id: longId, duration_minutes: 240 })
  })

  it('is refused for a service that is no longer offered', async () => {
    const booked = await book()
    await shop.owner.query('update public.services set is_active = false where id = $1', [longId])
    expect(await refusalOf(edit(booked, { service_id: longId }))).toMatchObject({ code: 'TT001' })
    await shop.owner.query('update public.services set is_active = true where id = $1', [longId])
  })

  it('keeps a duration that staff chose when the service is the same', async () => {
    const booked = await book({ minutes: 90 })
    const edited = await call('edit_booking', edit(booked, { vehicle_color: 'Green' }))
    expect(edited.duration_minutes).toBe(90)
  })
})

describe('an edit of the vehicle', () => {
  it('stores an unknown vehicle and links it to the customer', async () => {
    const booked = await book({ vehicle_year: '', vehicle_make: '', vehicle_model: '' })
    expect(booked.vehicle_id).toBeNull()
    const edited = await call(
      'edit_booking',
      edit(booked, { vehicle_year: '2019', vehicle_make: 'Subaru', vehicle_model: 'Outback' }),
    )
    expect(await read('select customer_id, make from public.vehicles')).toEqual([
      { customer_id: booked.customer_id, make: 'Subaru' },
    ])
    expect(edited.vehicle_id).not.toBeNull()
    expect(await lastEvent(booked.id)).toMatchObject({
      kind: 'edited',
      after: { edited: ['vehicle'] },
    })
  })

  it('finds the vehicle when only its license plate is entered', async () => {
    const first = await book({ appointment_date: '2026-11-29' })
    await shop.owner.query(`update public.vehicles set plate = '8ABC123'`)
    const booked = await book({ vehicle_year: '', vehicle_make: '', vehicle_model: '' })
    const edited = await call('edit_booking', edit(booked, { vehicle_plate: '8abc 123' }))
    expect(edited).toMatchObject({
      vehicle_id: first.vehicle_id,
      vehicle_make: 'Honda',
      vehicle_model: 'Accord',
    })
  })

  it('stores a new plate in the record of the vehicle', async () => {
    const booked = await book()
    await call('edit_booking', edit(booked, { vehicle_plate: '8ABC123' }))
    expect(await read('select plate, model from public.vehicles')).toEqual([
      { plate: '8ABC123', model: 'Accord' },
    ])
  })
})

describe('a corrected vehicle', () => {
  const vehicles = () =>
    read('select id, year, make, model, plate from public.vehicles order by created_at, id')
  const record = { year: '2015', make: 'Honda', model: 'Accord', plate: null }

  it.each([
    ['the spelling', { vehicle_make: 'Hnda' }],
    ['the year', { vehicle_year: '2016' }],
    ['small letters', { vehicle_make: 'honda' }],
    ['a missing model', { vehicle_model: '' }],
  ])('is changed in its record and in the other open bookings: %s', async (_what, mistake) => {
    const booked = await book(mistake)
    const later = await book({ ...mistake, appointment_date: '2026-12-01' })
    const done = await book({ ...mistake, appointment_date: '2026-11-29' })
    await shop.owner.query(
      `update public.bookings set completed_at = now(), completed_by = 'admin' where id = $1`,
      [done.id],
    )
    const right = { vehicle_year: '2015', vehicle_make: 'Honda', vehicle_model: 'Accord' }
    const edited = await call('edit_booking', edit(booked, right))
    expect(edited.vehicle_id).toBe(booked.vehicle_id)
    expect(await vehicles()).toEqual([{ id: booked.vehicle_id, ...record }])
    const [open, past] = await Promise.all(
      [later, done].map(async ({ id }) => {
        const [row] = await read<Booking>('select * from public.bookings where id = $1', [id])
        return row
      }),
    )
    expect(open).toMatchObject({ ...right, vehicle_id: booked.vehicle_id })
    expect(past).toMatchObject({
      vehicle_make: done.vehicle_make,
      vehicle_year: done.vehicle_year,
    })
    expect(await lastEvent(later.id)).toMatchObject({ after: { edited: ['vehicle'] } })
  })

  it.each([
    ['another model', { vehicle_model: 'Civic' }],
    ['another make and model', { vehicle_make: 'Ford', vehicle_model: 'Focus' }],
    ['another year and spelling', { vehicle_year: '2019', vehicle_model: 'Acord' }],
    ['a model with another number', { vehicle_make: 'Honda', vehicle_model: 'Accord 2' }],
  ])('becomes a separate vehicle when it may be a different vehicle: %s', async (_what, other) => {
    const booked = await book({ vehicle_model: 'Accord 1' })
    const edited = await call('edit_booking', edit(booked, other))
    expect(edited.vehicle_id).not.toBe(booked.vehicle_id)
    expect(await vehicles()).toHaveLength(2)
    expect(await vehicles()).toContainEqual({
      id: booked.vehicle_id,
      ...record,
      model: 'Accord 1',
    })
  })

  it("links the booking to the customer's other vehicle when the new description matches that vehicle", async () => {
    const first = await book({ appointment_date: '2026-11-29' })
    const booked = await book({ vehicle_make: 'Hnda' })
    const edited = await call('edit_booking', edit(booked, { vehicle_make: 'Honda' }))
    expect(edited.vehicle_id).toBe(first.vehicle_id)
    expect(await vehicles()).toContainEqual({ id: booked.vehicle_id, ...record, make: 'Hnda' })
  })

  it('leaves the vehicle record of the original customer unchanged when the booking changes to another customer', async () => {
    const booked = await book({ vehicle_make: 'Hnda' })
    const change = {
      customer_name: 'Pat Lindgren',
      customer_phone: '(650) 555-0199',
      customer_email: null,
      vehicle_make: 'Honda',
      contact_change: 'other_customer',
    }
    await call('edit_booking', edit(booked, change))
    expect(await vehicles()).toContainEqual({ id: booked.vehicle_id, ...record, make: 'Hnda' })
  })
})

describe('a license plate that is entered without make and model', () => {
  const plateAlone = { vehicle_year: '', vehicle_make: '', vehicle_model: '' }

  it('is added, if it is unknown, to the booking’s vehicle, which keeps make and model', async () => {
    const booked = await book()
    const edited = await call(
      'edit_booking',
      edit(booked, { ...plateAlone, vehicle_plate: 'KLM482' }),
    )
    expect(edited).toMatchObject({
      vehicle_id: booked.vehicle_id,
      vehicle_year: '2015',
      vehicle_make: 'Honda',
      vehicle_model: 'Accord',
    })
    expect(await read('select plate, model from public.vehicles')).toEqual([
      { plate: 'KLM482', model: 'Accord' },
    ])
  })

  it('links the booking to the vehicle to which a known license plate belongs', async () => {
    const other = await book({ appointment_date: '2026-11-29', vehicle_model: 'Civic' })
    await shop.owner.query(`update public.vehicles set plate = 'KLM482'`)
    const booked = await book()
    const edited = await call(
      'edit_booking',
      edit(booked, { ...plateAlone, vehicle_plate: 'klm 482' }),
    )
    expect(edited).toMatchObject({ vehicle_id: other.vehicle_id, vehicle_model: 'Civic' })
  })
})

describe('an edit of the name, the phone number or the email address', () => {
  it('is refused until staff choose between correcting the customer and assigning the booking to another customer', async () => {
    const booked = await book()
    expect(await refusalOf(edit(booked, { customer_name: 'Sam Okafur' }))).toMatchObject({
      code: '22023',
      hint: 'contact_change_required',
    })
  })

  it('changes the customer and the customer’s other open bookings when it is a correction', async () => {
    const booked = await book()
    const later = await book({ appointment_date: '2026-12-01' })
    const earlier = await book({ appointment_date: '2026-11-29' })
    await shop.owner.query(
      `update public.bookings set completed_at = now(), completed_by = 'admin' where id = $1`,
      [earlier.id],
    )
    await call(
      'edit_booking',
      edit(booked, {
        customer_name: 'Samuel Okafor',
        customer_email: 'samuel@customer.example',
        contact_change: 'correction',
      }),
    )
    expect(await read('select name, email, phone from public.customers')).toEqual([
      { name: 'Samuel Okafor', email: 'samuel@customer.example', phone: '(650) 555-0155' },
    ])
    expect(
      await read(
        'select id, customer_name, customer_email from public.bookings order by appointment_date',
      ),
    ).toEqual([
      {
        id: booked.id,
        customer_name: 'Samuel Okafor',
        customer_email: 'samuel@customer.example',
      },
      { id: earlier.id, customer_name: 'Sam Okafor', customer_email: 'sam@customer.example' },
      { id: later.id, customer_name: 'Samuel Okafor', customer_email: 'samuel@customer.example' },
    ])
    expect(await lastEvent(later.id)).toMatchObject({
      kind: 'edited',
      after: { edited: ['name', 'email'] },
    })
  })

  it('is refused as a correction when the email address belongs to another customer', async () => {
    await book({
      customer_name: 'Pat Lindgren',
      customer_phone: '(650) 555-0199',
      customer_email: 'pat@customer.example',
      appointment_date: '2026-11-29',
    })
    const booked = await book()
    const change = { customer_email: 'pat@customer.example', contact_change: 'correction' }
    expect(await refusalOf(edit(booked, change))).toMatchObject({
      code: 'TT096',
      hint: 'email_in_use',
    })
    expect(await read('select email from public.customers order by email')).toEqual([
      { email: 'pat@customer.example' },
      { email: 'sam@customer.example' },
    ])
  })

  it('changes only this booking and invalidates its earlier visit links when it assigns the booking to another customer', async () => {
    const booked = await book()
    const later = await book({ appointment_date: '2026-12-01' })
    const edited = await call(
      'edit_booking',
      edit(booked, {
        customer_name: 'Pat Lindgren',
        customer_phone: '(650) 555-0199',
        customer_email: 'pat@customer.example',
        contact_change: 'other_customer',
      }),
    )
    expect(edited.customer_id).not.toBe(booked.customer_id)
    expect(edited.link_version).toBe(booked.link_version + 1)
    expect(await read('select name, email from public.customers order by name')).toEqual([
      { name: 'Pat Lindgren', email: 'pat@customer.example' },
      { name: 'Sam Okafor', email: 'sam@customer.example' },
    ])
    const [vehicle] = await read<{ customer_id: string }>(
      'select customer_id from public.vehicles where id = $1',
      [edited.vehicle_id],
    )
    expect(vehicle?.customer_id).toBe(edited.customer_id)
    expect(
      await read('select customer_name from public.bookings where id = $1', [later.id]),
    ).toEqual([{ customer_name: 'Sam Okafor' }])
  })

  it('cannot assign the booking to another customer after the estimate was sent', async () => {
    const booked = await book()
    const estimates = createEstimateClient(shop)
    const estimateId = await estimates.write()
    await shop.owner.query(
      'update public.estimates set repair_id = (select repair_id from public.bookings) where id = $1',
      [estimateId],
    )
    await estimates.freeze(estimateId)
    const change = { customer_name: 'Pat Lindgren', contact_change: 'other_customer' }
    expect(await refusalOf(edit(booked, change))).toMatchObject({
      code: 'TT076',
      hint: 'estimate_sent',
    })
    await call('edit_booking', edit(booked, { ...change, contact_change: 'correction' }))
  })

  describe('an edit of a booking with an estimate', () => {
    const contactOf = async (id: string) => {
      const [row] = await read<Values>(
        `select customer_name, customer_email, customer_phone, customer_id, vehicle_id, version from public.estimates where id = $1`,
        [id],
      )
      return row
    }
    const newContact = {
      customer_name: 'Pat Lindgren',
      customer_phone: '(650) 555-0199',
      customer_email: 'pat@customer.example',
    }
    const beginDraft = async (source: object) => {
      const { id } = await createEstimateClient(shop).call<{ id: string }>(
        admin,
        'public.create_estimate($1)',
        [source],
      )
      return id
    }

    it('moves the unsent draft to the new customer together with the booking', async () => {
      const booked = await book()
      const draftId = await beginDraft({ bookingId: booked.id })
      const before = await contactOf(draftId)
      const change = { ...newContact, contact_change: 'other_customer' }
      const edited = await call('edit_booking', edit(booked, change))
      expect(await contactOf(draftId)).toEqual({
        ...newContact,
        customer_id: edited.customer_id,
        vehicle_id: edited.vehicle_id,
        version: Number(before?.['version']) + 1,
      })
      expect(edited.customer_id).not.toBe(booked.customer_id)
    })

    it('also moves a draft of the same repair that staff began without the booking to the new customer', async () => {
      const booked = await book()
      const draftId = await beginDraft({ customerId: booked.customer_id })
      await shop.owner.query(
        'update public.estimates set repair_id = (select repair_id from public.bookings) where id = $1',
        [draftId],
      )
      const change = { ...newContact, customer_email: null, contact_change: 'other_customer' }
      const edited = await call('edit_booking', edit(booked, change))
      expect(await contactOf(draftId)).toMatchObject({
        ...newContact,
        customer_email: '',
        customer_id: edited.customer_id,
      })
    })

    it('corrects those contact details in the draft that equal the earlier contact details of the customer', async () => {
      const booked = await book()
      const draftId = await beginDraft({ bookingId: booked.id })
      await shop.owner.query(`update public.estimates set customer_phone = '(650) 555-0111'`)
      const change = { ...newContact, contact_change: 'correction' }
      await call('edit_booking', edit(booked, change))
      expect(await contactOf(draftId)).toMatchObject({
        ...newContact,
        customer_phone: '(650) 555-0111',
        customer_id: booked.customer_id,
      })
    })

    it('does not change the customer in an estimate that was already sent', async () => {
      const booked = await book()
      const estimates = createEstimateClient(shop)
      const sentId = await estimates.write(undefined, { bookingId: booked.id })
      await estimates.freeze(sentId)
      const before = await contactOf(sentId)
      await call(
        'edit_booking',
        edit(booked, { customer_name: 'Samuel Okafor', contact_change: 'correction' }),
      )
      expect(await contactOf(sentId)).toEqual(before)
    })
  })

  it('adds no name, phone number or email address to the history', async () => {
    const booked = await book()
    const change = {
      customer_name: 'Pat Lindgren',
      customer_phone: '(650) 555-0199',
      customer_email: 'pat@customer.example',
      contact_change: 'other_customer',
    }
    await call('edit_booking', edit(booked, change))
    const [events] = await read<{ text: string }>(
      `select string_agg(event::text, ' ') as text from public.booking_events event`,
    )
    expect(events?.text).toContain('edited')
    expect(events?.text).not.toMatch(/Lindgren|Okafor|555-01|customer\.example/)
  })

  it('cancels an email that is still queued for the previous email address', async () => {
    const booked = await book()
    await shop.owner.query(
      `insert into public.emails (kind, dedupe_key, recipient_email, recipient_name, subject, html_body, text_body, booking_id, appointment_at)
       values ('booking_confirmation', 'test', 'sam@customer.example', 'Sam', 'Confirmed', '', '', $1, '2026-11-28 13:30')`,
      [booked.id],
    )
    const reason = () =>
      read('select internal.email_outdated_reason(email) as reason from public.emails email')
    expect(await reason()).toEqual([{ reason: null }])
    const change = { customer_email: 'samuel@customer.example', contact_change: 'correction' }
    await call('edit_booking', edit(booked, change))
    expect(await reason()).toEqual([
      { reason: 'Not sent: the appointment has another email address.' },
    ])
  })
})

describe('an edit', () => {
  it('changes neither the version nor the history when it changes no field', async () => {
    const booked = await book()
    const events = await read('select id from public.booking_events')
    expect(await call('edit_booking', edit(booked))).toMatchObject({ version: booked.version })
    expect(await read('select id from public.booking_events')).toEqual(events)
  })

  it('is refused if staff saw an outdated version of the booking', async () => {
    const booked = await book()
    await call('edit_booking', edit(booked, { vehicle_color: 'Green' }))
    expect(await refusalOf(edit(booked, { vehicle_color: 'Red' }))).toMatchObject({
      code: 'TT051',
      hint: 'version_conflict',
    })
  })

  it('is refused for a cancelled or completed booking', async () => {
    const booked = await book()
    await shop.database.transaction(admin, (query) =>
      query.unchecked('select * from public.cancel_bookings($1)', [[booked.id]]),
    )
    expect(await refusalOf({ ...edit(booked), seen_version: booked.version + 1 })).toMatchObject({
      code: 'TT067',
    })
  })

  it('leaves a booking without a bay when its time stays the same', async () => {
    const booked = await book({ without_bay: true, reason: 'Full' })
    const edited = await call('edit_booking', edit(booked, { service_id: longId }))
    expect(edited).toMatchObject({ bay_id: null, duration_minutes: 240 })
  })

  it('is refused for visitors and for accounts without the admin role', async () => {
    const booked = await book()
    for (const identity of [visitor, signedInStranger]) {
      expect(await refusalOf(edit(booked), identity)).toMatchObject({ code: '42501' })
    }
  })

  it.each([
    ['a line break in the name', { customer_name: 'Sam\nOkafor' }],
    ['an invisible character in the phone', { customer_phone: '555‮0155' }],
    ['a name that is too long', { customer_name: 'x'.repeat(201) }],
    ['an empty name', { customer_name: ' ' }],
    ['an address without @', { customer_email: 'sam' }],
    ['a model that is too long', { vehicle_model: 'x'.repeat(61) }],
  ])('with %s is refused', async (_what, change) => {
    const booked = await book()
    const values = edit(booked, { ...change, contact_change: 'correction' })
    expect((await refusalOf(values)).code).toMatch(/^(22|23)/)
    expect(await read('select customer_name, vehicle_model from public.bookings')).toEqual([
      { customer_name: 'Sam Okafor', vehicle_model: 'Accord' },
    ])
  })
})
