import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shopDay } from '#contracts/bookings/day.ts'
import { staffEmail } from '#server/features/admin-session/gateway/auth-gateway.ts'
import { createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { addService, fixtureClock } from '#tests/support/database/database-fixtures.ts'

let shop: TestApp
let admin: SupabaseClient
let serviceId: string
beforeAll(async () => {
  shop = await createTestApp({ config: { rateLimits: 'off' } })
  await setShopClock(shop.database.owner, fixtureClock)
  serviceId = await addService(shop.database, 'Story, 90 minutes', 90)
  admin = await shop.createClient()
  const { error } = await admin.auth.signInWithPassword({
    email: staffEmail(testAdmin.username),
    password: testAdmin.password,
  })
  if (error) throw error
})
afterAll(() => shop.close())

const phoneBooking = (time: string) => ({
  service_id: serviceId,
  appointment_date: '2026-11-28',
  appointment_time: time,
  customer_name: 'Sam Okafor',
  customer_phone: '(650) 555-0155',
})

describe('the staff procedures in the REST API', () => {
  it('book, move, change and read appointments, with results that match the schemas of the dashboard', async () => {
    const booked = await admin.rpc('book_by_phone', phoneBooking('10:00'))
    expect(booked.error).toBeNull()
    expect(booked.data).toMatchObject({ version: 1, customer_email: null, status: 'confirmed' })
    const { id } = booked.data as { id: string }
    const moved = await admin.rpc('move_booking', {
      booking_id: id,
      seen_version: 1,
      appointment_date: '2026-11-28',
      appointment_time: '11:15',
    })
    expect(moved.data).toMatchObject({ id, version: 2, appointment_time: '11:15:00' })
    const change = { booking_id: id, new_state: 'arrived', seen_version: 2 }
    const arrived = await admin.rpc('change_booking_state', change)
    expect(arrived.data).toMatchObject({ id, version: 3, status: 'arrived' })

    const day = await admin.rpc('read_day', { day: '2026-11-28' })
    expect(shopDay.parse(day.data).bookings).toMatchObject([{ id, version: 3, state: 'arrived' }])
    const found = await admin.rpc('find_customers', { search: 'okafor' })
    expect(found.data).toMatchObject([{ customer_name: 'Sam Okafor' }])
    const history = await admin
      .from('booking_events')
      .select('kind')
      .eq('booking_id', id)
      .order('id')
    expect(history.data).toEqual([{ kind: 'booked' }, { kind: 'moved' }, { kind: 'arrived' }])
  })

  it('refuse a request with a code, a message, a hint and details', async () => {
    const first = await admin.rpc('book_by_phone', phoneBooking('14:00'))
    const { id } = first.data as { id: string }
    const second = await admin.rpc('book_by_phone', phoneBooking('14:30'))
    expect(second.status).toBe(400)
    expect(second.error).toMatchObject({
      code: '23P01',
      message: 'This time is taken.',
      hint: 'slot_taken',
    })
    expect(JSON.parse(second.error?.details ?? '')).toMatchObject({
      in_the_way: [id],
      free_times: [{ time: '15:30' }, { time: '16:00' }, { time: '16:30' }],
    })
    const outdated = await admin.rpc('change_booking_state', {
      booking_id: id,
      new_state: 'cancelled',
      seen_version: 7,
    })
    expect(outdated.error).toMatchObject({ code: 'TT051', hint: 'version_conflict' })
    expect(JSON.parse(outdated.error?.details ?? '')).toMatchObject({ version: 1, kind: 'booked' })
  })

  it('cannot be called by a visitor', async () => {
    const visitor = await shop.createClient()
    for (const [name, values] of [
      ['book_by_phone', phoneBooking('17:00')],
      ['read_day', { day: '2026-11-28' }],
      ['find_customers', { search: 'okafor' }],
    ] as const) {
      expect((await visitor.rpc(name, values)).error?.code).toBe('42501')
    }
  })
})
