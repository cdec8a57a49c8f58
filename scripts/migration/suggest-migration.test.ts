import { describe, expect, inject, it } from 'vitest'
import { createScratchDatabase } from './scratch-databases.ts'
import { describeSchema } from '#tests/support/database/describe-schema.ts'
import { suggestRows } from './suggest-rows.ts'
import { nextVersion, suggestMigration } from './suggest-migration.ts'

const { ownerUrl: serverUrl } = inject('testServer')
const databaseWith = (sql: string) =>
  createScratchDatabase(serverUrl, async () => undefined).then(async (database) => {
    await database.owner.query(sql)
    return database
  })

describe('a suggested migration', () => {
  const jars = 'create table public.jars (id integer primary key, label text not null)'

  it('makes the current database equal to the wanted one; its destructive statements are also listed separately', async () => {
    const current = await databaseWith(`${jars}; create table public.lids (id integer)`)
    const wanted = await databaseWith(`${jars}; alter table public.jars add column size integer;
      grant select (size) on public.jars to anon`)
    const { sql, destructive } = await suggestMigration(current.owner, wanted.owner)
    expect(destructive).toEqual([expect.stringContaining('DROP TABLE "public"."lids"')])
    await current.owner.query(`begin; ${sql} commit`)
    expect(await describeSchema(current.owner)).toEqual(await describeSchema(wanted.owner))
    expect(await suggestMigration(current.owner, wanted.owner)).toMatchObject({ sql: '' })
    await Promise.all([current.drop(), wanted.drop()])
  })

  it('contains the text of a function from the schema files, and sets no owner', async () => {
    const source = `-- Counts.\ncreate function public.lid_count() returns bigint\n  language sql set search_path = ''\n  -- All of them.\n  return (select count(*) from public.lids)`
    const lids = 'create table public.lids (id integer)'
    const current = await databaseWith('select 1')
    const wanted = await databaseWith(`${lids}; ${source}`)
    const { sql } = await suggestMigration(current.owner, wanted.owner, [], [{ text: source }])
    expect(sql).toContain(source.slice(10).replace('create', 'create or replace'))
    expect(sql).not.toContain('OWNER')
    await current.owner.query(`begin; ${sql} commit`)
    expect(await describeSchema(current.owner)).toEqual(await describeSchema(wanted.owner))
    await Promise.all([current.drop(), wanted.drop()])
  })

  it('renames an object, and keeps its rows, when the developer accepted the rename', async () => {
    const current = await databaseWith(`create table public.lids (id integer)`)
    const wanted = await databaseWith(`create table public.covers (id integer)`)
    await current.owner.query('insert into public.lids values (7)')
    const { renameCandidates } = await suggestMigration(current.owner, wanted.owner)
    const { sql, destructive } = await suggestMigration(
      current.owner,
      wanted.owner,
      renameCandidates,
    )
    expect(destructive).toEqual([])
    await current.owner.query(`begin; ${sql} commit`)
    const { rows } = await current.owner.query('select id from public.covers')
    expect(rows).toEqual([{ id: 7 }])
    await Promise.all([current.drop(), wanted.drop()])
  })
})

describe('suggested rows', () => {
  const lids = `create table public.lids (
    name text primary key, sizes integer[] not null, is_round boolean, made_at timestamptz default now());
    create table public.lid_owners (id uuid primary key default gen_random_uuid(), lid text)`

  it('contain inserts for the missing rows of a seeded table, and a list of the rows that differ', async () => {
    const current = await databaseWith(`${lids}; insert into public.lids values
      ('big', '{9}'), ('old', '{1}'), ('same', '{2}')`)
    const wanted = await databaseWith(`${lids}; insert into public.lids values
      ('big', '{8}'), ('same', '{2}'), ('Dana''s', '{3,4}'); insert into public.lid_owners (lid) values ('big');
      create table public.pots (id integer primary key); insert into public.pots values (1)`)
    const { sql, others } = await suggestRows(current.owner, wanted.owner)
    expect(sql).toBe(
      `insert into public.lids (name, sizes, is_round) values\n  ('Dana''s', '{3,4}', NULL);\n`,
    )
    expect(others).toEqual([`public.lids: 'big'`, `public.lids: 'old'`])
    await current.owner.query(sql)
    const { rows } = await current.owner.query(
      `select sizes from public.lids where name = 'Dana''s'`,
    )
    expect(rows).toEqual([{ sizes: [3, 4] }])
    expect(await suggestRows(current.owner, wanted.owner)).toEqual({ sql: '', others })
    await Promise.all([current.drop(), wanted.drop()])
  })
})

describe('nextVersion', () => {
  const now = new Date('2026-11-24T09:08:07.9Z')

  it('returns the current time in UTC', () => {
    expect(nextVersion(now, [])).toBe('20261124090807')
    expect(nextVersion(now, ['20261123235959', '20250101000000'])).toBe('20261124090807')
  })

  it('returns a version that is later than every existing one', () => {
    expect(nextVersion(now, ['20261124090807'])).toBe('20261124090808')
    expect(nextVersion(now, ['20261231235959', '20261124000000'])).toBe('20270101000000')
  })
})
