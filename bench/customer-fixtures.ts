import type pg from 'pg'

/** The fixtures create one customer for every 2.5 appointments, and a second vehicle for every third customer. */
const bookingsPerCustomer = 2.5

const givenNames = `array['Maria', 'James', 'Ana', 'Robert', 'Linda', 'Wei', 'Omar', 'Priya', 'Grace', 'Luis', 'Helen', 'Ken', 'Walt',
  'June', 'Theo', 'Renee', 'Sam', 'Dana', 'Ivy', 'Noor']`
const familyNames = `array['Delgado', 'Okafor', 'Liu', 'Morimoto', 'Raman', 'Jensen', 'Albright', 'Park', 'Dupont', 'Cho', 'Haddad',
  'Ortega', 'Whitfield', 'Novak', 'Reyes', 'Obi', 'Larsen', 'Quimby', 'Santos', 'Fischer', 'Moreau', 'Kowalski', 'Byrne', 'Tanaka',
  'Silva']`
const vehicles = `array['Subaru Outback', 'Toyota Tacoma', 'Honda Civic', 'Ford F-150']`

/**
 * Fills a new shop with completed appointments, twenty for each day before today. There are two fifths as many
 * customers as appointments; each customer has a different email address and phone number. Ten consecutive customers
 * have the same given name, and five of these ten also have the same family name. The phone numbers of four consecutive
 * customers differ only in the area code. A search for a full name therefore finds five customers, and a search for a
 * number without area code four, in a shop of any size. `isLinked` determines whether the rows are linked to customers
 * on insert.
 */
export async function fillWithCustomers(
  owner: pg.Pool,
  bookings: number,
  isLinked: boolean,
): Promise<void> {
  const customers = Math.floor(bookings / bookingsPerCustomer)
  const trigger = `trigger t50_link_to_customer`
  if (!isLinked) await owner.query(`alter table public.bookings disable ${trigger}`)
  await owner.query(
    `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes, customer_name,
       customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model, completed_at, completed_by, created_at)
     select (select id from public.services order by name limit 1), day, time '08:00' + n % 20 * interval '30 minutes', 30,
       given || ' ' || family, lower(given) || '.' || lower(family) || who || '@example.com',
       '(' || 201 + who % 4 || ') 555-' || lpad((who / 4)::text, 4, '0'),
       (2000 + who % 25)::text, split_part(car, ' ', 1), split_part(car, ' ', 2), day + interval '18 hours', 'admin',
       day - interval '3 days'
     from generate_series(0, $1 - 1) n,
       lateral (select current_date - 1 - n / 20 as day, n % $2 as who) as at,
       lateral (select (${givenNames})[1 + who / 10 % 20] as given,
                       (${familyNames})[1 + (who % 2 + who / 400 * 2) % 25] as family,
                       (${vehicles})[1 + (who / 2 + case when who % 3 = 0 then n / $2 else 0 end) % 4] as car) as whose`,
    [bookings, customers],
  )
  if (!isLinked) await owner.query(`alter table public.bookings enable ${trigger}`)
  await owner.query('vacuum analyze')
}

/**
 * Creates the customers and vehicles of the unlinked appointments for which the SQL condition `only` is true, and then
 * links the appointments to them. These statements are much faster than the server's job, which links one appointment
 * at a time.
 */
export async function linkRecords(owner: pg.Pool | pg.Client, only = 'true'): Promise<void> {
  await owner.query(`
    insert into public.customers (name, email, phone, created_at)
    select distinct on (customer_email) customer_name, customer_email, customer_phone, created_at
    from public.bookings where customer_id is null and ${only} order by customer_email, created_at`)
  await owner.query(`
    insert into public.customer_contact_methods (customer_id, kind, match_key, value)
    select id, 'email', lower(email), email from public.customers`)
  await owner.query(`
    insert into public.vehicles (customer_id, year, make, model, created_at)
    select person.id, vehicle_year, vehicle_make, vehicle_model, min(booking.created_at)
    from public.bookings booking join public.customers person on person.email = booking.customer_email
    where booking.customer_id is null and vehicle_make is not null group by 1, 2, 3, 4`)
  await owner.query('alter table public.bookings disable trigger user')
  // The job of a running server may have created some of the vehicles a second time, so the statement links each
  // appointment to one of the duplicates.
  await owner.query(`
    update public.bookings booking
    set customer_id = person.id,
        vehicle_id = (select id from public.vehicles where customer_id = person.id and (year, make, model)
                      = (booking.vehicle_year, booking.vehicle_make, booking.vehicle_model) limit 1)
    from public.customers person where person.email = booking.customer_email and booking.customer_id is null`)
  await owner.query('alter table public.bookings enable trigger user')
  await owner.query('vacuum analyze')
}
