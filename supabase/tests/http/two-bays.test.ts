import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  addBay,
  addService,
  bookingRow,
  fixtureClock,
  visitor,
} from '#tests/support/database/database-fixtures.ts'

let shop: TestApp
let serviceId: string
beforeAll(async () => {
  shop = await createTestApp()
  await setShopClock(shop.database.owner, fixtureClock)
  serviceId = await addService(shop.database, 'Story, 90 minutes', 90)
  await addBay(shop.database, 'Bay 2')
})
afterAll(() => shop.close())

const headers = () => ({ apikey: shop.config.anonKey, 'content-type': 'application/json' })
const post = (url: string, body: object) =>
  shop.inject({
    method: 'POST',
    url,
    headers: { ...headers(), ...visitor.headers },
    payload: JSON.stringify(body),
  })
let visitors = 0
const book = (time: string) => {
  visitors += 1
  const customer_email = `visitor${visitors}@example.com`
  const row = bookingRow(serviceId, { appointment_time: time, customer_email })
  return post('/rest/v1/bookings', row)
}
const isFree = async (time: string) => {
  const slot = { service_duration: 90, booking_date: '2026-11-28', booking_time: time }
  return (await post('/rest/v1/rpc/is_time_slot_available', slot)).json()
}

it('a shop with two bays accepts two bookings for the same time, refuses a third, and lists the time as taken', async () => {
  expect((await book('13:30:00')).statusCode).toBe(201)
  expect(await isFree('14:00:00')).toBe(true)
  expect((await book('14:00:00')).statusCode).toBe(201)
  expect(await isFree('14:00:00')).toBe(false)
  const third = await book('14:00:00')
  expect(third.statusCode).toBe(400)
  expect(third.json()).toMatchObject({ code: '23P01', hint: 'slot_taken' })
  expect((await book('15:30:00')).statusCode).toBe(201)
})
