import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/** Returns the URL path of the owner's calendar feed; null until the owner creates a feed. */
export async function readFeedPath(database: Database): Promise<string | null> {
  const token = await readToken(database)
  return token === undefined ? null : pathOf(token)
}

/** Creates a new secret URL for the calendar feed. The former URL stops working. */
export async function renewFeed(database: Database): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await database.transaction(asServer, (query) =>
    query(
      `insert into internal.calendar_feed (token) values ($1)
       on conflict (id) do update set token = excluded.token, renewed_at = now()`,
      [token],
    ),
  )
  return pathOf(token)
}

export async function disableFeed(database: Database): Promise<null> {
  await database.transaction(asServer, (query) => query('delete from internal.calendar_feed'))
  return null
}

/**
 * Whether a token is the current token of the feed. The comparison takes constant time, so that the response time
 * reveals nothing about the token.
 */
export async function isFeedToken(database: Database, given: string): Promise<boolean> {
  const token = await readToken(database)
  const isSame = timingSafeEqual(digest(token ?? ''), digest(given))
  return token !== undefined && isSame
}

async function readToken(database: Database): Promise<string | undefined> {
  const [row] = await database.transaction(asServer, (query) =>
    query('select token from internal.calendar_feed'),
  )
  return row?.token
}

const pathOf = (token: string) => `/calendar/${token}.ics`
const digest = (text: string) => createHash('sha256').update(text).digest()
