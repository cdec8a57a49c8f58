import { type Query, rowsAs } from '@local/postgres'

/** Returns the current URL of the visit page of a booking; undefined when the booking does not exist. */
export async function findVisitPageUrl(
  query: Query,
  bookingId: string,
  publicUrl: string,
): Promise<string | undefined> {
  const [row] = rowsAs<{ token: string | null }>(
    await query('select public.visit_page_token($1) as token', [bookingId]),
  )
  return row?.token ? new URL(`/visit/${row.token}`, publicUrl).href : undefined
}
