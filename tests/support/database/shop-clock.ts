import pg from 'pg'

/**
 * Sets the clock of the booking rules in a test's own database to a fixed instant (ISO 8601); undefined restores the
 * real clock.
 */
export async function setShopClock(owner: pg.Pool, instant: string | undefined): Promise<void> {
  const now = instant ? `timestamptz ${pg.escapeLiteral(instant)}` : 'now()'
  await owner.query(
    `create or replace function internal.current_instant() returns timestamptz
       language sql stable set search_path = '' return ${now}`,
  )
}
