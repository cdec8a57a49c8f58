import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { addStaffAccount, signInAs } from '#tests/support/app/sign-in-as.ts'
import { addService, fixtureClock } from '#tests/support/database/database-fixtures.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'

/*
 * Every write of the dashboard to a table and every procedure that the dashboard calls runs once as each role. The
 * handwritten lists name the permitted roles. The test also searches the source code for writes and calls that are
 * missing in the lists.
 */

const roles = ['owner', 'advisor', 'technician'] as const
type Role = (typeof roles)[number]

const root = join(import.meta.dirname, '../../..')
const sources = globSync('web/dashboard/**/*.{ts,tsx}', { cwd: root })
  .filter((path) => !/\.test\.tsx?$/.test(path))
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n')

type Write = {
  /** The table and the method of the data client, for example 'tasks insert'. */
  readonly call: string
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  /** The query of the request URL: the filter, and the columns that the page reads from the response. */
  readonly query: string
  readonly body?: Record<string, unknown>
  readonly allowed: readonly Role[]
}

const counter = ['owner', 'advisor'] as const
const ownersOnly = ['owner'] as const
const id = '00000000-0000-4000-8000-0000000000aa'
const ofRow = `id=eq.${id}`

const shopColumns =
  `name,legal_name,business_type,tagline,description,street,city,state,postal_code,country,latitude,longitude,
  time_zone,phone,billing_phone,support_email,billing_email,booking_email,links,appointment_minutes,quote_reply_hours,experts_text,
  turnaround_text,warranty_text,version`.replaceAll(/\s+/g, '')
const rulesColumns =
  `notice_minutes,booking_window_days,slot_interval_minutes,change_cutoff_minutes,cancel_cutoff_minutes,
  notify_shop_of_changes,reminder_time,online_booking_paused,pause_message,version`.replaceAll(
    /\s+/g,
    '',
  )
const estimateColumns =
  'labor_rate_cents,good_for_days,registration_number,epa_number,conditions,payer_sentence,version'
const cashColumns = 'rounds_cash,counts_cash_before_expected,close_print_format,version'

const writes: readonly Write[] = [
  { call: 'tasks insert', method: 'POST', query: '', body: { title: 'Pads' }, allowed: counter },
  { call: 'tasks delete', method: 'DELETE', query: ofRow, allowed: ownersOnly },
  {
    call: 'quote_requests update',
    method: 'PATCH',
    query: ofRow,
    body: { flagged_reasons: [] },
    allowed: counter,
  },
  { call: 'quote_requests delete', method: 'DELETE', query: ofRow, allowed: ownersOnly },
  {
    call: 'employees insert',
    method: 'POST',
    query: '',
    body: { name: 'Ana Reyes', email: 'ana@shop.example' },
    allowed: ownersOnly,
  },
  {
    call: 'employees update',
    method: 'PATCH',
    query: `${ofRow}&select=id`,
    body: { name: 'Ana Reyes-Kim' },
    allowed: ownersOnly,
  },
  {
    call: 'tax_rates insert',
    method: 'POST',
    query: '',
    body: { effective_from: '2031-01-01', rate: 90_000 },
    allowed: ownersOnly,
  },
  {
    call: 'tax_rates delete',
    method: 'DELETE',
    query: 'effective_from=eq.2030-01-01',
    allowed: ownersOnly,
  },
  {
    call: 'estimate_rules update',
    method: 'PATCH',
    query: `version=gte.1&select=${estimateColumns}`,
    body: { good_for_days: 30 },
    allowed: ownersOnly,
  },
  {
    call: 'booking_rules update',
    method: 'PATCH',
    query: `version=gte.1&select=${rulesColumns}`,
    body: { notice_minutes: 120 },
    allowed: counter,
  },
  {
    call: 'booking_rules update',
    method: 'PATCH',
    query: `version=gte.1&select=${cashColumns}`,
    body: { rounds_cash: true },
    allowed: ownersOnly,
  },
  {
    call: 'booking_rules update',
    method: 'PATCH',
    query: 'version=gte.1&select=invoice_lookup_requires_email,version',
    body: { invoice_lookup_requires_email: true },
    allowed: ownersOnly,
  },
  {
    call: 'shop update',
    method: 'PATCH',
    query: `version=gte.1&select=${shopColumns}`,
    body: { tagline: 'Brakes and belts' },
    allowed: counter,
  },
  {
    call: 'bookings update',
    method: 'PATCH',
    query: `${ofRow}&select=id`,
    body: { completed_at: '2026-11-20T18:00:00Z', completed_by: 'admin' },
    allowed: counter,
  },
  {
    call: 'bookings update',
    method: 'PATCH',
    query: `${ofRow}&select=id`,
    body: { completed_at: null, completed_by: null },
    allowed: counter,
  },
  { call: 'bookings delete', method: 'DELETE', query: ofRow, allowed: ownersOnly },
]

/** The procedures that only some of the roles may call. Owners and advisors may call every other procedure. */
const decidedCalls: Readonly<Record<string, readonly Role[]>> = {
  complete_own_task: ['technician'],
  merge_customers: ownersOnly,
  read_audit: ownersOnly,
  preview_erasure: ownersOnly,
  record_technician_step: ['technician'],
  unmerge: ownersOnly,
}

let shop: TestApp
let serviceId: string
const tokens = new Map<Role, string>()
beforeAll(async () => {
  shop = await createTestApp({ config: { rateLimits: 'off' } })
  await setShopClock(shop.database.owner, fixtureClock)
  serviceId = await addService(shop.database, 'Brake check', 60)
  for (const role of roles) {
    await addStaffAccount(shop, `a-${role}`, role)
    tokens.set(role, (await signInAs(shop, `a-${role}`)).token)
  }
})
afterAll(() => shop.close())

const tables = ['bookings', 'tasks', 'quote_requests', 'employees', 'tax_rates']

/** Inserts into each table the single row that the tested writes change. */
async function addRows(): Promise<void> {
  const { owner } = shop.database
  await owner.query(
    `begin; set local session_replication_role = replica;
     ${tables.map((table) => `delete from public.${table}`).join(';')}; commit`,
  )
  await owner.query(
    `insert into public.bookings (id, service_id, appointment_date, appointment_time, duration_minutes, customer_name, customer_phone,
       completed_at, completed_by)
     values ($1, $2, '2026-11-28', '13:30', 60, 'Maria Delgado', '555-0167', now(), 'admin')`,
    [id, serviceId],
  )
  await owner.query(`insert into public.tasks (id, title) values ($1, 'Pads')`, [id])
  await owner.query(
    `insert into public.quote_requests (id, name, email, phone, service_type, description, vehicle_year, vehicle_make, vehicle_model)
     values ($1, 'Dana Whitfield', 'dana@example.com', '555-0167', 'brake-service', 'They squeak.', '2019', 'Subaru', 'Outback')`,
    [id],
  )
  await owner.query(
    `insert into public.employees (id, name, email) values ($1, 'Ben', 'ben@shop.example')`,
    [id],
  )
  await owner.query(
    `insert into public.tax_rates (effective_from, rate) values ('2030-01-01', 90000)`,
  )
}

async function runWrite({ call, method, query, body }: Write, role: Role): Promise<string> {
  await addRows()
  const returns = query.includes('select=')
  const response = await shop.inject({
    method,
    url: `/rest/v1/${call.split(' ')[0]}?${query}`,
    headers: {
      apikey: shop.config.anonKey,
      authorization: `Bearer ${tokens.get(role)}`,
      prefer: returns ? 'return=representation' : 'return=minimal',
    },
    ...(body && { payload: body }),
  })
  if (response.statusCode >= 300) return response.json<{ code: string }>().code
  return returns && response.json<unknown[]>().length === 0 ? 'no row' : 'done'
}

/** Returns the error in a response of the data service (REST API), or {} for a successful response. */
function errorOf(body: string): { readonly code?: string; readonly message?: string } {
  const parsed: unknown = body === '' ? null : JSON.parse(body)
  return parsed !== null && typeof parsed === 'object' ? parsed : {}
}

describe('a write of the dashboard to a table', () => {
  it.each(writes)(
    'succeeds or is refused for each role as this file lists: $call, $body',
    async (write) => {
      const outcomes = new Map<Role, string>()
      for (const role of roles) outcomes.set(role, await runWrite(write, role))
      expect(outcomes).toEqual(
        new Map(roles.map((role) => [role, write.allowed.includes(role) ? 'done' : '42501'])),
      )
    },
  )

  it('is in the list of this file', () => {
    const found = sources.matchAll(/\.from\('(\w+)'\)\s*\.(insert|update|upsert|delete)\(/g)
    expect(new Set([...found].map(([, table, verb]) => `${table} ${verb}`))).toEqual(
      new Set(writes.map(({ call }) => call)),
    )
    // In the source code, each write names the table directly before the verb, so that this test finds every write.
    const verbs = [
      ...sources.matchAll(/\n\s*\.(insert|update|upsert)\(|\)\.(insert|update|upsert)\(/g),
    ]
    expect(verbs.length).toBe(
      [...sources.matchAll(/\.from\('(\w+)'\)\s*\.(insert|update|upsert)\(/g)].length,
    )
  })
})

describe('a procedure that the dashboard calls', () => {
  const called = new Set([...sources.matchAll(/\.rpc\(\s*'(\w+)'/g)].map(([, name]) => name ?? ''))

  it.each([...called].toSorted())('can be called by exactly the listed roles: %s', async (name) => {
    const { rows } = await shop.database.owner.query<{
      names: string[] | null
      modes: string[] | null
    }>(
      `select proargnames as names, proargmodes::text[] as modes from pg_proc
       where pronamespace = 'public'::regnamespace and proname = $1`,
      [name],
    )
    const names = (rows[0]?.names ?? []).filter((_, nth) => (rows[0]?.modes?.[nth] ?? 'i') === 'i')
    const payload = Object.fromEntries(names.map((argument) => [argument, null]))
    const refused = []
    for (const role of roles) {
      const response = await shop.inject({
        method: 'POST',
        url: `/rest/v1/rpc/${name}`,
        headers: { apikey: shop.config.anonKey, authorization: `Bearer ${tokens.get(role)}` },
        payload,
      })
      const { code, message } = errorOf(response.body)
      expect([name, code]).not.toEqual([name, 'PGRST202'])
      // A procedure for technicians refuses the empty arguments of this test with a message that begins with
      // 'Technicians'. This message does not mean that the role may not call the procedure.
      if (code === '42501' && !message?.startsWith('Technicians ')) refused.push(role)
    }
    const allowed = decidedCalls[name] ?? counter
    expect(refused).toEqual(roles.filter((role) => !allowed.includes(role)))
  })
})
