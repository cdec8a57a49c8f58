import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import {
  createLinkTokens,
  linkNow,
  type LinkNow,
  type LinkRow,
} from '#server/platform/http/link-tokens.ts'

export type VisitPageTokens = {
  /**
   * Returns the id of the booking to which a token belongs. Returns undefined for a forged token, and for the token
   * of a link that a newer link replaced.
   */
  bookingIdOf(token: string): Promise<string | undefined>
}

/** Verifies the tokens of visit pages, which `public.visit_page_token` creates. */
export function createVisitPageTokens(database: Database): VisitPageTokens {
  const bookingIdOf = createLinkTokens({
    // For version 1, the signed text contains no version number. Links that were sent before the site introduced
    // version numbers therefore remain valid.
    textOf: (id, version) => `visit ${id}${version > 1 ? ` ${version}` : ''}`,
    findLink: (id) => findBookingLink(database, id),
  })
  return { bookingIdOf }
}

/** Reads the key that signs the links to visit pages, and the version that a link to this booking must have. */
export async function findBookingLink(database: Database, bookingId: string): Promise<LinkNow> {
  const [row] = rowsAs<LinkRow>(
    await database.transaction(asServer, (query) =>
      query(
        `select (select value from internal.secrets where name = 'visit_key') as key,
           (select link_version from public.bookings where id = $1) as version`,
        [bookingId],
      ),
    ),
  )
  return linkNow(row)
}
