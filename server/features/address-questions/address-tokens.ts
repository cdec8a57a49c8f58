import { type Database, type Query, rowsAs } from '@local/postgres'
import { findBookingLink } from '#server/features/visit-page/visit-page-tokens.ts'
import { createLinkTokens } from '#server/platform/http/link-tokens.ts'

/** Returns the id of the booking whose email confirmation page the token opens; undefined for an invalid token. */
export type OpenAddressToken = (token: string) => Promise<string | undefined>

/**
 * Verifies the tokens of the pages on which customers confirm an email address. The database function
 * `internal.address_token` creates these tokens.
 */
export function createAddressTokens(database: Database): OpenAddressToken {
  return createLinkTokens({
    textOf: (id, version) => `address ${id} ${version}`,
    findLink: (id) => findBookingLink(database, id),
  })
}

/** Returns the URL of the page on which a customer confirms the email address of a booking. */
export async function findAddressUrl(
  query: Query,
  bookingId: string,
  publicUrl: string,
): Promise<string> {
  const [row] = rowsAs<{ token: string | null }>(
    await query('select internal.address_token($1) as token', [bookingId]),
  )
  if (!row?.token) throw new Error('The database returned no token for an email confirmation page')
  return new URL(`/address/${row.token}`, publicUrl).href
}
