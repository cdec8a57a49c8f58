import { createHmac, timingSafeEqual } from 'node:crypto'
import { asServer, type Database } from '#server/platform/database/database.ts'
import { getSecret } from '#server/platform/database/secrets.ts'

const idBytes = 16
/** 128 bits: nobody guesses one. */
const signatureBytes = 16
const nobody = '00000000-0000-0000-0000-000000000000'

export type VisitTokens = {
  /** Which appointment a token opens now; undefined for whatever we did not sign, or what a newer link replaced. */
  bookingIdOf(token: string): Promise<string | undefined>
}

/**
 * Tokens of the private pages: the appointment's id and its HMAC with the version of its link, nothing else grants
 * anything. `public.visit_token` makes them. Every token takes the same way, one read and one comparison, so that the
 * time of an answer does not tell a guess from a link that was good once.
 */
export async function createVisitTokens(database: Database): Promise<VisitTokens> {
  const key = await getSecret(database, 'visit_key')
  return {
    async bookingIdOf(token) {
      const isWhole = /^[\w-]{43}$/.test(token)
      const given = isWhole ? token : tokenFor(nobody, 0, key)
      const bookingId = toUuid(Buffer.from(given, 'base64url').subarray(0, idBytes))
      const version = await findLinkVersion(database, bookingId)
      const expected = tokenFor(bookingId, version ?? 0, key)
      const isSame = timingSafeEqual(Buffer.from(expected), Buffer.from(given))
      return isSame && isWhole && version !== undefined ? bookingId : undefined
    },
  }
}

async function findLinkVersion(database: Database, bookingId: string): Promise<number | undefined> {
  const [row] = await database.transaction(asServer, (query) =>
    query('select link_version from public.bookings where id = $1', [bookingId]),
  )
  return row?.link_version
}

/** As `public.visit_token` signs: the first link as it was before there was another. */
function tokenFor(bookingId: string, version: number, key: string): string {
  const text = `visit ${bookingId}${version > 1 ? ` ${version}` : ''}`
  const signature = createHmac('sha256', key).update(text).digest().subarray(0, signatureBytes)
  const id = Buffer.from(bookingId.replaceAll('-', ''), 'hex')
  return Buffer.concat([id, signature]).toString('base64url')
}

function toUuid(id: Buffer): string {
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
