import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Identity } from '@local/postgres'
import { networkOf } from '#server/platform/http/limits/client-address.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  addService,
  admin,
  bookingRow,
  type BookingRow,
  insertRow,
  formBot,
  refusalTo,
  fixtureClock,
  visitor,
} from '#tests/support/database/database-fixtures.ts'

let shop: TestDatabase
let serviceId: string
beforeAll(async () => {
  shop = await createTestDatabase()
  serviceId = await addService(shop, 'Story, 30 minutes', 30)
})
afterAll(() => shop.drop())
beforeEach(async () => {
  await shop.owner.query(truncateTables('public.bookings', 'public.customers'))
  await setShopClock(shop.owner, fixtureClock)
})

/**
 * The two headers in which the database receives a client's IP address: hashed by the shop's own data service (REST
 * API), or in plain text from the gateway of a hosted Supabase project.
 */
const ways = {
  'the shop’s own data service': (address: string) => ({
    'x-client-address-hash': networkOf(address, { ipv4: 32, ipv6: 64 }),
    ...(address.includes(':')
      ? {
          'x-client-56-hash': networkOf(address, { ipv4: 24, ipv6: 56 }),
          'x-client-48-hash': networkOf(address, { ipv4: 24, ipv6: 48 }),
        }
      : { 'x-client-24-hash': networkOf(address, { ipv4: 24, ipv6: 48 }) }),
  }),
  'a hosted project': (address: string) => ({ 'cf-connecting-ip': address }),
}
type Way = keyof typeof ways
const way: Way = 'the shop’s own data service'
const from = (address: string, identity: Identity = visitor, by: Way = way): Identity => ({
  ...identity,
  headers: { ...identity.headers, ...ways[by](address) },
})

let customerCount = 0
/**
 * Returns a new booking of a new customer at the half-hour slot number `nth`, counted from the first slot of Saturday,
 * November 28.
 */
function rowOf(nth: number, change: BookingRow = {}): BookingRow {
  customerCount += 1
  const minute = 510 + (nth % 24) * 30
  return bookingRow(serviceId, {
    appointment_date: nth < 24 ? '2026-11-28' : '2026-11-29',
    appointment_time: `${Math.floor(minute / 60)}:${minute % 60 === 0 ? '00' : '30'}`,
    customer_email: `person${customerCount}@example.com`,
    customer_phone: `(650) 555-${String(customerCount).padStart(4, '0')}`,
    ...change,
  })
}
const book = (nth: number, identity: Identity, change: BookingRow = {}) =>
  shop.database.transaction(identity, (query) => insertRow(query, 'bookings', rowOf(nth, change)))
const refusalOf = (nth: number, identity: Identity, change: BookingRow = {}) =>
  refusalTo(shop.database, identity, (query) => insertRow(query, 'bookings', rowOf(nth, change)))

async function marks(): Promise<string[]> {
  const { rows } = await shop.owner.query<{ mark: string }>(
    'select unnest(flagged_reasons) as mark from public.bookings order by created_at',
  )
  return rows.map(({ mark }) => mark)
}

/** Adds a customer with a completed appointment, whom the database treats as a known customer. */
async function addKnownCustomer(change: BookingRow): Promise<void> {
  await shop.database.transaction(admin, (query) => insertRow(query, 'bookings', rowOf(47, change)))
  await shop.owner.query(
    `update public.bookings set completed_at = now(), completed_by = 'admin', is_sample = false`,
  )
}
const regular = { customer_email: 'Regular@example.com', customer_phone: '(650) 555-0142' }

describe.each(Object.keys(ways) as Way[])('ordinary bookings through %s', (by) => {
  it.each([
    ['one IPv4 address', 6, () => '203.0.113.7', 'many_from_one_client'],
    ['one IPv6 /64', 6, (n: number) => `2001:db8:a:1::${n + 1}`, 'many_from_one_client'],
    [
      'one IPv6 /56',
      8,
      (n: number) => `2001:db8:a:${(n + 1).toString(16)}::1`,
      'many_from_one_network',
    ],
    [
      'one IPv6 /48',
      12,
      (n: number) => `2001:db8:a:${(n + 1).toString(16)}00::1`,
      'many_from_one_network',
    ],
    ['one IPv4 /24', 15, (n: number) => `203.0.113.${n + 1}`, 'many_from_one_network'],
  ])(
    'from %s are limited to %d a day, and the next booking is held',
    async (_network, most, addressOf, mark) => {
      // oxlint-disable-next-line no-await-in-loop -- the limit counts earlier bookings
      for (let nth = 0; nth < most; nth += 1) await book(nth, from(addressOf(nth), visitor, by))
      expect(await marks()).toEqual([])
      await book(most, from(addressOf(most), visitor, by))
      expect(await marks()).toEqual([mark])
      await book(most + 1, from('198.51.100.1', visitor, by))
      await book(most + 2, from('2001:db8:b:1::1', visitor, by))
      expect(await marks()).toEqual([mark])
    },
  )
})

describe('ordinary bookings from one network', () => {
  it('are limited to 12 in a day for a /48 network, even when 15 of its subnetworks book concurrently', async () => {
    const indexes = Array.from({ length: 15 }, (_, n) => n)
    await Promise.all(indexes.map((n) => book(n, from(`2001:db8:a:${(n + 1).toString(16)}00::1`))))
    expect(await marks()).toHaveLength(3)
  })

  it('count for a day, including cancelled bookings but not bookings that are held for confirmation', async () => {
    for (let nth = 0; nth < 6; nth += 1) await book(nth, from('203.0.113.7'))
    await shop.owner.query(`update public.bookings set status = 'cancelled'`)
    await book(0, from('203.0.113.7'))
    expect(await marks()).toEqual(['many_from_one_client'])
    await shop.owner.query(
      `update internal.form_origins set created_at = created_at - interval '25 hours'`,
    )
    await book(1, from('203.0.113.7', formBot))
    await book(2, from('203.0.113.7'))
    expect(await marks()).toEqual(['many_from_one_client', 'form_token_missing'])
  })

  it('are stored without the IP address of the client', async () => {
    await book(0, from('203.0.113.7', visitor, 'a hosted project'))
    const { rows } = await shop.owner.query<{ row: string }>(
      'select row::text from internal.form_origins row',
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.row).not.toContain('203.0.113')
  })
})

describe('the ten bookings that can be held for confirmation at the same time', () => {
  it.each([
    ['an IPv6 /48', (n: number) => `2001:db8:a:${(n + 1).toString(16)}00::1`],
    ['an IPv4 /24', (n: number) => `203.0.113.${n + 1}`],
  ])(
    'include at most three from %s, and other networks are not affected',
    async (_network, addressOf) => {
      for (let nth = 0; nth < 3; nth += 1) await book(nth, from(addressOf(nth), formBot))
      expect(await refusalOf(3, from(addressOf(3), formBot))).toMatchObject({
        code: 'TT041',
        hint: 'too_many_held',
      })
      await book(4, from('198.51.100.1', formBot))
      await book(5, from(addressOf(5)))
      await setShopClock(shop.owner, '2026-11-20T18:30:00Z')
      await book(6, from(addressOf(6), formBot))
    },
  )

  it('include at most three from one network, even after eight concurrent requests', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => book(n, from(`203.0.113.${n + 1}`, formBot))),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  })
})

describe('one network that books all day', () => {
  it('gets 12 ordinary bookings and three held for confirmation if it is a /48 network, and does not affect other visitors', async () => {
    let booked = 0
    let held = 0
    for (let nth = 0; nth < 40; nth += 1) {
      const address = `2001:db8:a:${(nth + 1).toString(16)}00::1`
      const before = await marks()
      // oxlint-disable-next-line no-await-in-loop -- the limit counts earlier bookings
      const isTaken = await book(nth, from(address)).then(
        () => true,
        () => false,
      )
      if (!isTaken) continue
      if ((await marks()).length > before.length) held += 1
      else booked += 1
    }
    expect({ booked, held }).toEqual({ booked: 12, held: 3 })
    await book(40, from('198.51.100.1'))
    expect(await marks()).toHaveLength(3)
  })
})

describe('a customer with a completed appointment', () => {
  const fillTheTen = async () => {
    for (let nth = 0; nth < 10; nth += 1) await book(nth, from(`203.0.${nth}.1`, formBot))
  }

  it('gets a booking held for confirmation even when ten bookings in total and three from one network are already held', async () => {
    await addKnownCustomer(regular)
    await fillTheTen()
    await book(10, from('203.0.1.9', formBot), {
      ...regular,
      customer_email: 'regular@EXAMPLE.com',
    })
    for (let nth = 11; nth < 13; nth += 1) await book(nth, from('203.0.1.9', formBot), regular)
    const { rows } = await shop.owner.query(
      `select from public.bookings where held_until is not null and lower(customer_email) = 'regular@example.com'`,
    )
    expect(rows).toHaveLength(3)
  })

  it('has bookings held for confirmation that do not count toward the limits of ten in total and three from one network', async () => {
    await addKnownCustomer(regular)
    for (let nth = 10; nth < 13; nth += 1) await book(nth, from('203.0.1.9', formBot), regular)
    await fillTheTen()
    expect((await refusalOf(13, from('198.51.100.1', formBot))).code).toBe('TT041')
  })

  it.each([
    ['only the email', { customer_email: regular.customer_email }],
    ['only the phone number', { customer_phone: regular.customer_phone }],
    [
      'the email of one and the phone number of another customer',
      { customer_email: regular.customer_email, customer_phone: '(650) 555-0143' },
    ],
  ])('is not recognized as a known customer by %s', async (_what, change) => {
    await addKnownCustomer(regular)
    await addKnownCustomer({
      customer_name: 'Another',
      customer_email: 'another@example.com',
      customer_phone: '(650) 555-0143',
      appointment_date: '2026-11-29',
      appointment_time: '19:00',
    })
    await fillTheTen()
    expect((await refusalOf(12, from('198.51.100.1', formBot), change)).code).toBe('TT041')
  })

  it('is known to the shop only if the completed appointment is outside the sample week', async () => {
    await addKnownCustomer(regular)
    await fillTheTen()
    await shop.owner.query('update public.bookings set is_sample = completed_at is not null')
    expect((await refusalOf(12, from('198.51.100.1', formBot), regular)).code).toBe('TT041')
    await shop.owner.query(
      'update public.bookings set is_sample = false, completed_at = null, completed_by = null where completed_at is not null',
    )
    expect((await refusalOf(12, from('198.51.100.1', formBot), regular)).code).toBe('TT041')
  })

  it('gets no sixth open booking, not even one held for confirmation, so that an attacker cannot fill the calendar in the customer’s name', async () => {
    await addKnownCustomer(regular)
    await fillTheTen()
    for (let nth = 10; nth < 15; nth += 1) await book(nth, from('198.51.100.1', formBot), regular)
    expect((await refusalOf(15, from('198.51.100.1', formBot), regular)).code).toBe('TT041')
  })
})
