import pg from 'pg'

/** Fixes the clock of the booking rules in a test's own database (ISO 8601); undefined lets it run again. */
export async function setShopClock(owner: pg.Pool, instant: string | undefined): Promise<void> {
  const now = instant ? `timestamptz ${pg.escapeLiteral(instant)}` : 'now()'
  await owner.query(
    `create or replace function internal.current_instant() returns timestamptz
       language sql stable set search_path = '' return ${now}`,
  )
}
