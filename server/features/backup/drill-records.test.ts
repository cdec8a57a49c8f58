import { Client } from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { queryOf } from '@local/postgres'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { readDrills, readNextFileNumber, recordDrill } from './drill-records.ts'

let test: TestDatabase
let client: Client
beforeEach(async () => {
  test = await createTestDatabase()
  client = new Client({ connectionString: test.ownerUrl })
  await client.connect()
})
afterEach(async () => {
  await client.end()
  await test.drop()
})

const proven = (nextNumber: number) => ({
  outcome: 'proven' as const,
  restoredMs: 1,
  tables: 1,
  rows: 1,
  files: 1,
  checkedFiles: 1,
  differingFiles: 0,
  skipped: [],
  differing: [],
  nextNumber,
})

it('a restore drill of a new incarnation (backup history) checks files from number 0, because each incarnation begins its file numbers at 0', async () => {
  const query = queryOf(client)
  await recordDrill(query, { startedMs: 1, incarnation: 'earlier', result: proven(500) })
  expect(await readNextFileNumber(query, 'later')).toBe(0)
  await recordDrill(query, { startedMs: 1, incarnation: 'later', result: proven(7) })
  expect(await readNextFileNumber(query, 'later')).toBe(7)
  expect(await readNextFileNumber(query, 'earlier')).toBe(500)
})

it('the record of a restore drill that failed at an unusable backup object contains the name of that object', async () => {
  const query = queryOf(client)
  const object = '7/1-a/base/00000001/part-000001'
  const result = { outcome: 'not_drilled' as const, reason: 'damaged', object }
  await recordDrill(query, { startedMs: 1, incarnation: 'a', result })
  expect(await readDrills(query)).toMatchObject([{ outcome: 'not_drilled', object }])
})
