import type pg from 'pg'
import { linkRecords } from './customer-fixtures.ts'

/**
 * Inserts completed bookings, twenty for each day before yesterday, and links them to customers, so that no job of the
 * server links them during a measurement. Also works for an earlier commit, whose database has no customers and lacks
 * columns such as `service_name`.
 */
export async function fillWithBookings(owner: pg.Pool | pg.Client, count: number): Promise<void> {
  const given: Record<string, string> = {
    service_id: '(select id from public.services order by name limit 1)',
    appointment_date: 'day',
    appointment_time: 'at',
    duration_minutes: '30',
    customer_name: `'Dana Whitfield'`,
    customer_email: `'dana' || n % 40000 || '@customer.example'`,
    customer_phone: `'(' || 200 + n / 100 % 800 || ') 555-01' || lpad((n % 100)::text, 2, '0')`,
    completed_at: 'now()',
    completed_by: `'admin'`,
    service_name: `'Oil change'`,
    notified_starts_at: 'day + at',
  }
  const { rows } = await owner.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = 'public.bookings'::regclass and attname = any ($1)`,
    [Object.keys(given)],
  )
  const columns = rows.map(({ name }) => name)
  await owner.query(`
    alter table public.bookings disable trigger user;
    insert into public.bookings (${columns.join(', ')})
    select ${columns.map((column) => given[column]).join(', ')}
    from generate_series(0, ${count - 1}) n,
         lateral (select current_date - 2 - n / 20 as day, time '08:00' + n % 20 * interval '30 minutes' as at) as their;
    alter table public.bookings enable trigger user`)
  await owner.query('vacuum analyze')
  if (await hasTable(owner, 'public.customers')) await linkRecords(owner)
}

/** Whether the database has a table, given as `schema.table`. Earlier commits lack some tables. */
export async function hasTable(owner: pg.Pool | pg.Client, name: string): Promise<boolean> {
  const { rows } = await owner.query<{ found: boolean }>(
    'select to_regclass($1) is not null as found',
    [name],
  )
  return rows[0]?.found === true
}
