import type pg from 'pg'

/** The fixtures create one customer for every 2.5 appointments, and a second vehicle for every third customer. */
const bookingsPerCustomer = 2.5

const givenNames = `array['Maria', 'James', 'Ana', 'Robert', 'Linda', 'Wei', 'Omar', 'Priya', 'Grace', 'Luis', 'Helen', 'Ken', 'Walt',
  'June', 'Theo', 'Renee', 'Sam', 'Dana', 'Ivy', 'Noor']`
const familyNames = `array['Delgado', 'Okafor', 'Liu', 'Morimoto', 'Raman', 'Jensen', 'Albright', 'Park', 'Dupont', 'Cho', 'Haddad',
  'Ortega', 'Whitfield', 'Novak', 'Reyes', 'Obi', 'Larsen', 'Quimby', 'Santos', 'Fischer', 'Moreau', 'Kowalski', 'Byrne', 'Tanaka',
  'Silva']`
const vehicles = `array['Subaru Outback', 'Toyota Tacoma', 'Honda Civic', 'Ford F-150']`

/** SQL that computes a customer's name from the customer's number `who`, as the columns `given` and `family`. */
const nameOfCustomer = `lateral (
  select (${givenNames})[1 + who / 10 % 20] as given, (${familyNames})[1 + (who % 2 + who / 400 * 2) % 25] as family) as name`

const emailOfCustomer = `lower(given) || '.' || lower(family) || who || '@example.com'`
const phoneOfCustomer = `'(' || 201 + who % 4 || ') 555-' || lpad((who / 4)::text, 4, '0')`

/** SQL that computes the appointments, each with its date, the number of its customer, and its vehicle. */
const appointments = `generate_series(0, $1 - 1) n,
  lateral (select current_date - 1 - n / 20 as day, n % $2 as who) as at,
  lateral (select (${vehicles})[1 + (who / 2 + case when who % 3 = 0 then n / $2 else 0 end) % 4] as car) as driven`

/**
 * The name of the database in which customers.ts creates its shop with this number of appointments. Later benchmarks of
 * the same run copy this database instead of filling another one.
 */
export function nameOfFilledDatabase(bookings: number): string {
  return `customers_${bookings}`
}

/**
 * Fills a new shop with completed appointments, twenty for each day before today. There are two fifths as many
 * customers as appointments; each customer has a different email address and phone number. Ten consecutive customers
 * have the same given name, and five of these ten also have the same family name. The phone numbers of four consecutive
 * customers differ only in the area code. A search for a full name therefore finds five customers, and a search for a
 * number without area code four, in a shop of any size. Creates only the customers for whose number `who` the SQL
 * condition `isKnown` is true; the appointments of all others are not linked to a customer.
 *
 * Only the trigger that fills columns of an appointment runs, because the other triggers would take longer than the
 * insert.
 */
export async function fillWithCustomers(
  owner: pg.Pool,
  bookings: number,
  isKnown = 'true',
): Promise<void> {
  const customers = Math.floor(bookings / bookingsPerCustomer)
  await owner.query(
    `insert into public.customers (id, name, email, phone, created_at)
     select md5(who::text)::uuid, given || ' ' || family, ${emailOfCustomer}, ${phoneOfCustomer}, current_date - 4 - who / 20
     from generate_series(0, $1 - 1) who, ${nameOfCustomer} where ${isKnown}`,
    [customers],
  )
  await owner.query(`
    insert into public.customer_contact_methods (customer_id, kind, match_key, value)
    select id, 'email', lower(email), email from public.customers`)
  await owner.query(
    `insert into public.vehicles (id, customer_id, year, make, model, created_at)
     select md5(who || car)::uuid, md5(who::text)::uuid, (2000 + who % 25)::text, split_part(car, ' ', 1), split_part(car, ' ', 2),
       min(day) - interval '3 days'
     from ${appointments} where ${isKnown} group by who, car`,
    [bookings, customers],
  )
  await owner.query(
    'alter table public.bookings disable trigger user, enable trigger t20_complete_booking',
  )
  await owner.query(
    `insert into public.bookings (service_id, bay_id, appointment_date, appointment_time, duration_minutes, customer_name,
       customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model, completed_at, completed_by, created_at,
       customer_id, vehicle_id)
     select (select id from public.services order by name limit 1), (select id from public.bays order by position limit 1),
       day, time '08:00' + n % 20 * interval '30 minutes', 30, given || ' ' || family, ${emailOfCustomer}, ${phoneOfCustomer},
       (2000 + who % 25)::text, split_part(car, ' ', 1), split_part(car, ' ', 2), day + interval '18 hours', 'admin',
       day - interval '3 days', case when ${isKnown} then md5(who::text)::uuid end,
       case when ${isKnown} then md5(who || car)::uuid end
     from ${appointments}, ${nameOfCustomer}`,
    [bookings, customers],
  )
  await owner.query('alter table public.bookings enable trigger user')
  await owner.query('vacuum analyze')
}
