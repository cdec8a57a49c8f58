import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
})
afterAll(() => shop.drop())

const placesOf = async (sql: string) =>
  (await shop.owner.query<{ place: string }>(sql)).rows.map(({ place }) => place)

/**
 * Lists every column of the shop's schemas that contains text, without the tables of the auth service and of the
 * migrations.
 */
const textColumns = () =>
  placesOf(
    `select format('%s.%s.%s', table_schema, table_name, column_name) as place
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_type = 'BASE TABLE' and table_schema in ('public', 'internal', 'stripe_sandbox')
       and (data_type in ('text', 'character varying', 'character', 'json', 'jsonb') or udt_name in ('_text', '_jsonb', '_varchar'))
     order by 1`,
  )
const ruledColumns = () =>
  placesOf(
    `select table_name || '.' || column_name as place from internal.erasure_rules order by format('%s', table_name || '.' || column_name)`,
  )

describe('the erasure of a customer', () => {
  it('has a rule for each column of text or JSON in the schema', async () => {
    expect(await ruledColumns()).toEqual(await textColumns())
  })

  it('is reported as incomplete when a new text column has no erasure rule', async () => {
    await shop.owner.query('alter table public.bays add column remark text')
    const [columns, ruled] = [await textColumns(), await ruledColumns()]
    expect(columns.filter((column) => !ruled.includes(column))).toEqual(['public.bays.remark'])
  })

  it('limits each rewritten text to the maximum length of its column', async () => {
    const { rows } = await shop.owner.query<{ column: string; longest: number; check: string }>(
      `select table_name || '.' || column_name as column, longest, pg_get_constraintdef(c.oid) as check
       from internal.erasure_rules join pg_constraint c on c.conrelid = table_name::regclass and c.contype = 'c'
         and c.conkey = array[(select attnum from pg_attribute where attrelid = table_name::regclass and attname = column_name)]
       where label is not null and longest is not null`,
    )
    for (const { column, longest, check } of rows) {
      const limit = /(?:<= |is_single_line_text\([^,]+, \d+, )(\d+)/.exec(check)?.[1]
      if (limit !== undefined) expect([column, longest]).toEqual([column, Number(limit)])
    }
    expect(rows.length).toBeGreaterThan(10)
  })
})
