import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readSchema } from './schema-files.ts'

describe('the statements of the schema files', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'torque-schema-files-'))
    mkdirSync(join(folder, 'schemas'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  async function orderOf(files: Record<string, string>): Promise<string[]> {
    for (const [name, sql] of Object.entries(files)) {
      writeFileSync(join(folder, 'schemas', name), sql)
    }
    return (await readSchema(folder)).map(({ text }) => text.split('\n').at(-1) ?? '')
  }

  it('are ordered by kind across all files', async () => {
    const order = await orderOf({
      '10_a.sql': `create table a.one (id int);
        comment on table a.one is 'One; two';
        grant select on a.one to anon;
        create trigger watch before insert on a.one for each row execute function a.f();
        insert into a.one values (1);
        create index one_by_id on a.one (id);
        create function a.f() returns trigger language plpgsql as $$ begin select 1; end $$;`,
      '20_b.sql': 'create schema a; create table a.two (id int);',
    })
    expect(order.map((text) => text.trim().split(' ').slice(0, 3).join(' '))).toEqual([
      'create schema a',
      'create table a.one',
      'create table a.two',
      'create function a.f()',
      'create index one_by_id',
      'insert into a.one',
      'create trigger watch',
      'comment on table',
      'grant select on',
    ])
  })

  it('create a table after the tables and functions to which the statement of the table refers, even when these are in other files', async () => {
    const order = await orderOf({
      '10_a.sql':
        'create table a.one (two int references a.two, text text check (a.is_single_line_text(text)));',
      '20_b.sql': 'create table a.two (id int primary key);',
      '30_c.sql':
        'create function a.is_single_line_text(text) returns boolean language sql return a.plain($1) <> $$a.one$$;',
      '40_d.sql': "create function a.plain(text) returns text language sql return 'a.one';",
    })
    expect(order.map((text) => /a\.\w+/.exec(text)?.[0])).toEqual([
      'a.two',
      'a.plain',
      'a.is_single_line_text',
      'a.one',
    ])
  })

  it('keep their order within the schema file that creates the roles', async () => {
    const order = await orderOf({
      '00_roles.sql': 'do $$ begin end $$; grant one to two; create schema a;',
      '10_a.sql': 'create extension b;',
    })
    expect(order).toEqual([
      'do $$ begin end $$',
      'grant one to two',
      'create schema a',
      'create extension b',
    ])
  })

  it('include a function whose body is in the SQL-standard form as one statement', async () => {
    const body = `create function a.f() returns int language sql
      begin atomic select case when true then 1 else 2 end; select 3; end`
    expect(await orderOf({ '10_a.sql': `${body}; create schema a;` })).toEqual([
      'create schema a',
      body.split('\n').at(-1),
    ])
  })

  it('are refused when they alter an object instead of defining it', async () => {
    await expect(
      orderOf({ '10_a.sql': '-- Why.\nalter function a.f() volatile;' }),
    ).rejects.toThrow(/10_a\.sql:2: no kind of statement begins with 'alter function/)
  })

  it('are refused when the last statement of a file has no semicolon', async () => {
    await expect(orderOf({ '10_a.sql': 'create schema a' })).rejects.toThrow(/semicolon/)
  })
})
