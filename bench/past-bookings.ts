import type pg from 'pg'

const customers = 40_000

/**
 * Inserts completed bookings, twenty for each day before yesterday, and their customers, so that the server's job that
 * links bookings to customers has no work during a measurement. Also works for an earlier commit, whose database has no
 * customers and lacks columns such as `service_name`.
 */
export async function fillWithBookings(owner: pg.Pool | pg.Client, count: number): Promise<void> {
  const given: Record<string, string> = {
    service_id: '(select id from public.services order by name limit 1)',
    appointment_date: 'day',
    appointment_time: 'at',
    duration_minutes: '30',
    customer_id: `md5((n % ${customers})::text)::uuid`,
    customer_name: `'Dana Whitfield'`,
    customer_email: `'dana' || n % ${customers} || '@customer.example'`,
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
  if (columns.includes('customer_id')) await addCustomers(owner, Math.min(count, customers))
  await owner.query(`
    alter table public.bookings disable trigger user;
    insert into public.bookings (${columns.join(', ')})
    select ${columns.map((column) => given[column]).join(', ')}
    from generate_series(0, ${count - 1}) n,
         lateral (select current_date - 2 - n / 20 as day, time '08:00' + n % 20 * interval '30 minutes' as at) as their;
    alter table public.bookings enable trigger user`)
  await owner.query('vacuum analyze')
}

async function addCustomers(owner: pg.Pool | pg.Client, count: number): Promise<void> {
  await owner.query(`
    insert into public.customers (id, name, email)
    select md5(n::text)::uuid, 'Dana Whitfield', 'dana' || n || '@customer.example' from generate_series(0, ${count - 1}) n;
    insert into public.customer_contact_methods (customer_id, kind, match_key, value)
    select id, 'email', email, email from public.customers where name = 'Dana Whitfield'`)
}

/** Whether the database has a table, given as `schema.table`. Earlier commits lack some tables. */
export async function hasTable(owner: pg.Pool | pg.Client, name: string): Promise<boolean> {
  const { rows } = await owner.query<{ found: boolean }>(
    'select to_regclass($1) is not null as found',
    [name],
  )
  return rows[0]?.found === true
}
