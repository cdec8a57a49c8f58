import { type Query, rowsAs } from '@local/postgres'

/** The address of an appointment's private page as it is now; undefined when there is no such appointment. */
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
