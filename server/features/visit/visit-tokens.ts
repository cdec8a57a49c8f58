import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Database } from '#server/platform/database/database.ts'
import { getSecret } from '#server/platform/database/secrets.ts'

const idBytes = 16
/** 128 bits: nobody guesses one. */
const signatureBytes = 16

export type VisitTokens = {
  /** What the address of the booking's page ends in: 43 characters, opaque to whoever lacks the key. */
  tokenFor(bookingId: string): string
  /** Which booking a token opens; undefined for whatever we did not sign. */
  bookingIdOf(token: string): string | undefined
}

/**
 * Tokens of the private pages: the booking's id and its HMAC, nothing else grants anything. They are told
 * from forgeries without asking the database. `public.visit_token` signs the same for a hosted project.
 */
export async function createVisitTokens(database: Database): Promise<VisitTokens> {
  const key = await getSecret(database, 'visit_key')
  const tokenFor = (bookingId: string) => {
    const id = Buffer.from(bookingId.replaceAll('-', ''), 'hex')
    return Buffer.concat([id, sign(bookingId, key)]).toString('base64url')
  }
  return {
    tokenFor,
    bookingIdOf(token) {
      if (!/^[\w-]{43}$/.test(token)) return undefined
      const bookingId = toUuid(Buffer.from(token, 'base64url').subarray(0, idBytes))
      const isOurs = timingSafeEqual(Buffer.from(tokenFor(bookingId)), Buffer.from(token))
      return isOurs ? bookingId : undefined
    },
  }
}

function sign(bookingId: string, key: string): Buffer {
  return createHmac('sha256', key).update(`visit ${bookingId}`).digest().subarray(0, signatureBytes)
}

function toUuid(id: Buffer): string {
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
