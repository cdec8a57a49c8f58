import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEmptyDatabase, type EmptyDatabase } from './testing.ts'
import { runPipelined } from './pipelining.ts'

describe('a pipeline', () => {
  let database: EmptyDatabase
  let client: Client

  beforeAll(async () => {
    database = await createEmptyDatabase()
    client = new Client({ connectionString: database.url })
    await client.connect()
    await client.query('create table marks (id int primary key)')
  })
  afterAll(async () => {
    await client?.end()
    await database?.drop()
  })

  const pipeline = (...statements: [text: string, ...values: string[]][]) =>
    runPipelined(
      client,
      'test',
      statements.map(([text, ...values]) => ({ text, values })),
    )
  const marks = async () => (await client.query('select id from marks order by id')).rows.length

  test('returns the rows of each statement with all values as text', async () => {
    const rows = await pipeline(['select 1, null'], ['select generate_series(1, $1::int)', '2'])
    expect(rows).toEqual([[['1', null]], [['1'], ['2']]])
  })

  test('commits all of its statements or none of them', async () => {
    await expect(pipeline(['insert into marks values (1)'], ['select 1 / 0'])).rejects.toThrow(
      'division by zero',
    )
    expect(await marks()).toBe(0)
    await pipeline(['insert into marks values (1)'], ['insert into marks values (2)'])
    expect(await marks()).toBe(2)
  })

  test('fails when it violates a constraint that is checked at the commit', async () => {
    await client.query('create table later (id int references marks deferrable initially deferred)')
    await expect(pipeline(['insert into later values (77)'])).rejects.toMatchObject({
      code: '23503',
    })
    expect((await client.query('select from later')).rows).toHaveLength(0)
  })

  test('resets its local settings at its end', async () => {
    const rows = await pipeline(
      [`select set_config('statement_timeout', $1, true)`, '1234'],
      [`select current_setting('statement_timeout')`],
    )
    expect(rows[1]).toEqual([['1234ms']])
    const after = await client.query(`select current_setting('statement_timeout') as timeout`)
    expect(after.rows).toEqual([{ timeout: '0' }])
  })

  test('keeps a limited number of prepared statements, including statements that failed', async () => {
    for (let shape = 0; shape < 300; shape += 1) {
      await pipeline([`select ${shape}`])
      await expect(pipeline([`select ${shape} / $1::int`, '0'])).rejects.toThrow('division')
    }
    const { rows } = await client.query<{ kept: number }>(
      'select count(*)::int as kept from pg_prepared_statements',
    )
    expect(rows[0]?.kept).toBeLessThanOrEqual(101)
    expect(await pipeline(['select 0'], ['select 299'])).toEqual([[['0']], [['299']]])
  })

  test('limits the total length of prepared statements and does not prepare very long statements', async () => {
    const padded = (shape: number, bytes: number) => `select ${shape} /*${'x'.repeat(bytes)}*/`
    for (let shape = 0; shape < 60; shape += 1) {
      expect(await pipeline([padded(shape, 1_500)])).toEqual([[[String(shape)]]])
      expect(await pipeline([padded(shape, 16_000)], [padded(-shape, 16_000)])).toHaveLength(2)
    }
    const { rows } = await client.query<{ total: number; longest: number }>(
      'select sum(length(statement))::int as total, max(length(statement)) as longest from pg_prepared_statements',
    )
    expect(rows[0]?.total).toBeLessThanOrEqual(32 * 1024)
    expect(rows[0]?.longest).toBeLessThanOrEqual(4 * 1024)
    expect(await pipeline([padded(59, 1_500)], [padded(7, 16_000)])).toEqual([[['59']], [['7']]])
  })

  test('leaves the connection usable after a very long statement has failed', async () => {
    const long = `select 1 / $1::int /*${'x'.repeat(9_000)}*/`
    await expect(pipeline([long, '0'])).rejects.toThrow('division')
    expect(await pipeline([long, '1'], ['select 2'])).toEqual([[['1']], [['2']]])
  })
})
