import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from './database.ts'
import { createEmptyDatabase, type EmptyDatabase } from './testing.ts'

describe('a database with two connections for pipelines and one for transactions', () => {
  let empty: EmptyDatabase
  let database: Database
  beforeAll(async () => {
    empty = await createEmptyDatabase()
    database = openDatabase(empty.url, { maxConnections: 1, pipelineConnections: 2 })
  })
  afterAll(async () => {
    await database?.close()
    await empty?.drop()
  })

  const identity = { role: 'postgres' }
  const runPipeline = (text: string) => database.pipeline(identity, [{ text, values: [] }])

  test('runs all pipelines in two PostgreSQL processes, however many pipelines are sent', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => runPipeline('select pg_backend_pid()')),
    )
    expect(new Set(answers.map((rows) => rows[0]?.[0]?.[0])).size).toBe(2)
  })

  test('runs a transaction while pipelines occupy all their connections', async () => {
    const holder = await empty.pool.connect()
    await holder.query('select pg_advisory_lock(7)')
    const waiting = [1, 2].map(() => runPipeline('select pg_advisory_xact_lock(7)'))
    await database.transaction(identity, (query) => query.unchecked('select 1'))
    await holder.query('select pg_advisory_unlock(7)')
    await expect(Promise.all(waiting)).resolves.toHaveLength(2)
    holder.release()
  })
})
