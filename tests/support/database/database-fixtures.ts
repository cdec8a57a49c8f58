import type { Pool } from 'pg'
import { signFormToken } from '#server/features/form-guard/form-tokens.ts'
import type { Database, Identity, Query } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { type TestDatabase, testOwnerId } from './database.ts'
import { testFormKey } from '#tests/support/app/form-key.ts'

/** The identity of a visitor with a form token, as the data service (REST API) passes the identity to the database. */
export const visitor: Identity = {
  role: 'anon',
  /**
   * Each access to this property creates a form token dated one minute ago, so that the server does not treat the
   * form as automated.
   */
  get headers() {
    return { 'x-form-token': signFormToken(Date.now() - 60_000, testFormKey) }
  },
}
/** A visitor without a form token, whose forms the server treats as automated. */
export const formBot: Identity = { role: 'anon' }
/** The owner whose staff account every test database has. */
export const admin: Identity = {
  role: 'shop_owner',
  claims: {
    role: 'authenticated',
    sub: testOwnerId,
    app_metadata: { role: 'admin', username: 'ana' },
  },
}
/**
 * Adds `admin` as a user of the auth service, without a staff account. An admin was stored like this before staff
 * accounts existed; a migration makes this admin an owner.
 */
export async function addUserOfEarlierAdmin(owner: Pool): Promise<void> {
  await owner.query(
    `insert into auth.users (id, email, raw_app_meta_data)
     values ($1, 'ana@staff.torqueandtiming.example', '{"role": "admin", "username": "ana"}')`,
    [testOwnerId],
  )
}

/**
 * A signed-in user without a staff account. Users can change their own `user_metadata`, so the metadata must not grant
 * rights.
 */
export const signedInStranger: Identity = {
  role: 'authenticated',
  claims: {
    role: 'authenticated',
    sub: '00000000-0000-4000-8000-000000000002',
    user_metadata: { role: 'admin' },
  },
}

/**
 * Calls a database function with which the visit page changes a booking, such as internal.cancel_booking_by_customer.
 * Returns the outcome, such as 'cancelled' or 'refused: too_close'.
 */
export async function runVisitAction(database: Database, call: string, values: unknown[]) {
  const [row] = await database.transaction(asServer, (query) =>
    query.unchecked<{ outcome: string }>(
      `select coalesce(done, 'refused: ' || refused) as outcome from ${call}`,
      values,
    ),
  )
  return row?.outcome
}

export type Refusal = { code: string; hint?: string | undefined; message: string }

/**
 * Runs a statement as an identity that the database must refuse; returns the error, and throws if the database accepts
 * the statement.
 */
export async function refusalTo(
  database: Database,
  identity: Identity,
  work: (query: Query) => Promise<unknown>,
): Promise<Refusal> {
  try {
    await database.transaction(identity, work)
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
      const hint = 'hint' in error && typeof error.hint === 'string' ? error.hint : undefined
      return { code: error.code, hint, message: error.message }
    }
    throw error
  }
  throw new Error('The database accepted a statement that it should refuse.')
}

/** The row with which a visitor books an appointment. The date and time are in the shop's time zone. */
export type BookingRow = Record<string, string | null>

/**
 * The time to which tests set the shop's clock: Friday, November 20, 2026, 10 AM. At this time the booking of
 * `bookingRow` is valid.
 */
export const fixtureClock = '2026-11-20T18:00:00Z'

export function bookingRow(serviceId: string, change: BookingRow = {}): BookingRow {
  return {
    service_id: serviceId,
    appointment_date: '2026-11-28',
    appointment_time: '13:30:00',
    customer_name: 'Dana Whitfield',
    customer_email: 'dana@example.com',
    customer_phone: '(650) 555-0167',
    notes: null,
    vehicle_year: '2019',
    vehicle_make: 'Subaru',
    vehicle_model: 'Outback',
    vehicle_color: null,
    status: 'confirmed',
    ...change,
  }
}

/** Inserts a row as the data service (REST API) does: sets only the named columns and returns no row. */
export async function insertRow(query: Query, table: string, row: BookingRow): Promise<void> {
  const columns = Object.keys(row)
  const placeholders = columns.map((_, index) => `$${index + 1}`)
  await query.unchecked(
    `insert into public.${table} (${columns.join(', ')}) values (${placeholders.join(', ')})`,
    Object.values(row),
  )
}

/** Adds a service of a given duration. */
export async function addService(
  { owner }: TestDatabase,
  name: string,
  durationMinutes: number,
): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    'insert into public.services (name, duration_minutes) values ($1, $2) returning id',
    [name, durationMinutes],
  )
  const id = rows[0]?.id
  if (!id) throw new Error('The service was not added.')
  return id
}

/** Adds a bay after the existing bays, for tests of a shop with several bays; returns the bay's id. */
export async function addBay({ owner }: TestDatabase, name: string): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    `insert into public.bays (name, position) select $1, max(position) + 1 from public.bays returning id`,
    [name],
  )
  const id = rows[0]?.id
  if (!id) throw new Error('The bay was not added.')
  return id
}
