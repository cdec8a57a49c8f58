import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { readMigrations } from './migration-files.ts'
import { migrate, migrateTo } from './migrations.ts'
import { StartupError } from '@local/postgres'

let test: TestDatabase
let folder: string
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.drop())
beforeEach(async () => {
  await test.owner.query('drop schema if exists supabase_migrations cascade')
  await test.owner.query('drop schema if exists pantry cascade')
  folder = mkdtempSync(join(tmpdir(), 'torque-migrations-'))
  mkdirSync(join(folder, 'migrations'))
  mkdirSync(join(folder, 'schemas'))
  write('20260101000000_make_pantry', 'create schema pantry; create table pantry.jars (id int)')
  write('20260102000000_fill_pantry', 'insert into pantry.jars values (1)')
  writeSchema('10_pantry', 'create schema pantry; create table pantry.jars (id int);')
  writeSchema('20_jars', 'insert into pantry.jars values (1);')
  writeFileSync(join(folder, 'seed.sql'), 'insert into pantry.jars values (100)')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const fileOf = (name: string) => join(folder, 'migrations', `${name}.sql`)
const write = (name: string, sql: string) => writeFileSync(fileOf(name), sql)
const writeSchema = (name: string, sql: string) =>
  writeFileSync(join(folder, 'schemas', `${name}.sql`), sql)
const apply = () => migrate(test.ownerUrl, folder)
async function jars(): Promise<number[]> {
  const { rows } = await test.owner.query<{ id: number }>('select id from pantry.jars order by id')
  return rows.map(({ id }) => id)
}

describe('a new database', () => {
  it('is built from the schema files and then seeded, once', async () => {
    write('20260102000000_fill_pantry', 'insert into pantry.jars values (2)')
    const both = ['20260101000000_make_pantry', '20260102000000_fill_pantry']
    expect(await apply()).toEqual(both)
    expect(await apply()).toEqual([])
    expect(await jars()).toEqual([1, 100])
  })

  it('is built by only one of several processes that start at the same time', async () => {
    const applied = await Promise.all([apply(), apply(), apply(), apply()])
    expect(applied.flat()).toHaveLength(2)
    expect(await jars()).toEqual([1, 100])
  })

  it('contains nothing of failing schema files; the error names file and line, and a corrected file is accepted', async () => {
    writeSchema(
      '20_jars',
      '-- The first jar.\ninsert into pantry.jars\nvalues (7);\nupdate pantry.jars set id = 8;',
    )
    await expect(apply()).rejects.toThrow(/supabase\/schemas\/20_jars\.sql:4: no kind of statement/)
    writeSchema('20_jars', '-- The first jar.\ninsert into pantry.jars (wrong)\nvalues (7);')
    await expect(apply()).rejects.toThrow(/supabase\/schemas\/20_jars\.sql:2: .*wrong/)
    const { rows } = await test.owner.query(`select to_regnamespace('pantry') as pantry`)
    expect(rows).toEqual([{ pantry: null }])
    writeSchema('20_jars', 'insert into pantry.jars values (7);')
    await apply()
    expect(await jars()).toEqual([7, 100])
  })
})

describe('migrations of a database', () => {
  it('make every REST server reload the schema if any migration was applied', async () => {
    const listener = await test.owner.connect()
    const heard: (string | undefined)[] = []
    listener.on('notification', ({ payload }) => heard.push(payload))
    await listener.query('listen pgrst')
    await apply()
    await apply()
    await expect.poll(() => heard).toEqual(['reload schema'])
    listener.release(true)
  })

  it('are applied without the seed data when they are new', async () => {
    await apply()
    write('20260103000000_fill_more', 'insert into pantry.jars values (2)')
    expect(await apply()).toEqual(['20260103000000_fill_more'])
    expect(await jars()).toEqual([1, 2, 100])
  })

  it('are applied in order, without the seed data, up to the last migration that a backup contains', async () => {
    const [first, second] = await readMigrations(folder)
    await migrateTo(test.ownerUrl, [first!], folder)
    expect(await jars()).toEqual([])
    expect(await apply()).toEqual([`${second?.version}_${second?.name}`])
    expect(await jars()).toEqual([1])
  })

  it('leave no changes after a failure, report the line, and continue after the migration is corrected', async () => {
    await apply()
    write('20260103000000_fill_more', 'insert into pantry.jars values (7);\nselect wrong;')
    await expect(apply()).rejects.toThrow(/20260103000000_fill_more\.sql:2: .*wrong/)
    expect(await jars()).toEqual([1, 100])
    write('20260103000000_fill_more', 'insert into pantry.jars values (7)')
    await apply()
    expect(await jars()).toEqual([1, 7, 100])
  })

  it('are refused when they were edited after they were applied', async () => {
    await apply()
    appendFileSync(fileOf('20260101000000_make_pantry'), ' -- a thought')
    await expect(apply()).rejects.toThrow(/make_pantry\.sql was edited/)
    await expect(apply()).rejects.toThrow(StartupError)
  })

  it('may change between Windows and Unix line endings', async () => {
    write('20260103000000_two_lines', 'select 1;\nselect 2;')
    await apply()
    write('20260103000000_two_lines', 'select 1;\r\nselect 2;')
    expect(await apply()).toEqual([])
  })

  it('are refused by an older version of the site that does not contain them', async () => {
    await apply()
    rmSync(fileOf('20260102000000_fill_pantry'))
    await expect(apply()).rejects.toThrow(/newer version of the site: its migration 20260102000000/)
  })

  it('are refused when their file name is invalid or their version is older than an applied one', async () => {
    await apply()
    write('20260101120000_late', 'select 1')
    await expect(apply()).rejects.toThrow(/migrations are applied in order/)
    rmSync(fileOf('20260101120000_late'))
    write('no_stamp', 'select 1')
    await expect(apply()).rejects.toThrow(/no_stamp\.sql is misnamed/)
  })

  it('continue a migration history that the Supabase command line began', async () => {
    await test.owner.query(`create schema supabase_migrations;
      create table supabase_migrations.schema_migrations
        (version text primary key, statements text[], name text);
      insert into supabase_migrations.schema_migrations values
        ('20260101000000', '{split,otherwise}', 'make_pantry');
      create schema pantry; create table pantry.jars (id int)`)
    expect(await apply()).toEqual(['20260102000000_fill_pantry'])
    expect(await jars()).toEqual([1])
  })
})
