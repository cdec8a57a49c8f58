import { asServer, type Database } from '#server/platform/database/database.ts'
import { getSecret } from '#server/platform/database/secrets.ts'
import { createLinkTokens } from '#server/platform/http/link-tokens.ts'

export type VisitTokens = {
  /** Which appointment a token opens now; undefined for whatever we did not sign, or what a newer link replaced. */
  bookingIdOf(token: string): Promise<string | undefined>
}

/** Tokens of the private pages of appointments; `public.visit_token` makes them. */
export async function createVisitTokens(database: Database): Promise<VisitTokens> {
  const bookingIdOf = createLinkTokens({
    key: await getSecret(database, 'visit_key'),
    // The first link as it was before there was another.
    textOf: (id, version) => `visit ${id}${version > 1 ? ` ${version}` : ''}`,
    findVersion: (id) => findLinkVersion(database, id),
  })
  return { bookingIdOf }
}

async function findLinkVersion(database: Database, bookingId: string): Promise<number | undefined> {
  const [row] = await database.transaction(asServer, (query) =>
    query('select link_version from public.bookings where id = $1', [bookingId]),
  )
  return row?.link_version
}
