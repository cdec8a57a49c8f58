import type { Pool } from 'pg'

/** Changes rows of the settings as whoever saves them does: who listens hears of it when it is committed. */
export async function changeSettings(owner: Pool, sql: string, values: unknown[] = []) {
  const client = await owner.connect()
  try {
    await client.query('begin')
    await client.query(sql, values)
    await client.query('notify settings_changed')
    await client.query('commit')
  } finally {
    client.release()
  }
}
