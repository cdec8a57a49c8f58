import type { Pool } from 'pg'

/** Adds a quote request of a customer with the given name. */
export async function addQuoteRequest(owner: Pool, name: string): Promise<void> {
  await owner.query(
    `insert into public.quote_requests (name, email, vehicle_year, vehicle_make, vehicle_model, description)
     values ($1, 'dana@example.com', '2019', 'Subaru', 'Outback', 'It rattles.')`,
    [name],
  )
}
