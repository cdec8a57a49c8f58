import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { sqlFolder } from '#server/platform/database/migrations.ts'
import { readSchema } from '#server/platform/database/schema-files.ts'
import { describeSchema } from '#tests/support/database/describe-schema.ts'
import {
  databaseFromMigrations,
  databaseFromSchema,
  type ScratchDatabase,
} from '../../scripts/migration/scratch-databases.ts'

const { ownerUrl: serverUrl } = inject('testServer')

/** Returns the lines that only one of the two lists contains: '- ' marks lines of `left`, '+ ' lines of `right`. */
function differences(left: readonly string[], right: readonly string[]): string[] {
  const [inLeft, inRight] = [new Set(left), new Set(right)]
  return [
    ...left.filter((line) => !inRight.has(line)).map((line) => `- ${line}`),
    ...right.filter((line) => !inLeft.has(line)).map((line) => `+ ${line}`),
  ]
}

describe('the schema files', () => {
  let migrated: ScratchDatabase
  let folder: string
  beforeAll(async () => {
    migrated = await databaseFromMigrations(serverUrl)
    folder = mkdtempSync(join(tmpdir(), 'torque-schema-'))
  })
  afterAll(async () => {
    await migrated.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  /**
   * Lists the differences between a database built from the schema files of `directory` and one built from the
   * project's migrations.
   */
  async function compare(directory: string): Promise<string[]> {
    const built = await databaseFromSchema(serverUrl, directory)
    try {
      return differences(await describeSchema(migrated.owner), await describeSchema(built.owner))
    } finally {
      await built.drop()
    }
  }

  it('create the same database as the migrations (`npm run migration` writes a missing migration)', async () => {
    expect(await compare(sqlFolder)).toEqual([])
  })

  it('have a comment at each security definer function', async () => {
    const functions = (await readSchema(sqlFolder)).filter(({ tokens }) =>
      tokens.join(' ').includes('security definer'),
    )
    expect(functions.length).toBeGreaterThan(100)
    const unexplained = functions.filter(
      ({ text }) => !/--.*\n.*security definer|security definer.*--/.test(text),
    )
    expect(unexplained.map(({ file, line }) => `${file}:${line}`)).toEqual([])
  })

  it('define functions of at most 60 lines', async () => {
    const functions = (await readSchema(sqlFolder)).flatMap(({ text, tokens }) => {
      const [definition] = /^create function ([\w.]+)[\s\S]*/m.exec(text) ?? []
      return tokens[0] === 'create' && tokens[1] === 'function' && definition ? [definition] : []
    })
    expect(functions.length).toBeGreaterThan(300)
    const long = functions.filter((definition) => definition.split('\n').length > 60)
    expect(long.map((definition) => /[\w.]+(?=\()/.exec(definition)?.[0])).toEqual([])
  })

  it('contain function bodies that PostgreSQL accepts, and initial rows that can be inserted repeatedly', async () => {
    const statements = await readSchema(sqlFolder)
    const built = await databaseFromSchema(serverUrl)
    const before = await describeSchema(built.owner)
    // Creates every function again with check_function_bodies on. The schema loader switches the check off, because a
    // body may refer to an object that is created later.
    for (const { text, tokens } of statements) {
      if (tokens[0] === 'create' && tokens[1] === 'function') {
        await built.owner.query(text.replace(/^create function/m, 'create or replace function'))
      }
      if (tokens[0] === 'insert' || tokens[0] === 'select') await built.owner.query(text)
    }
    const after = await describeSchema(built.owner)
    await built.drop()
    expect(differences(before, after)).toEqual([])
  })

  it('contain no function whose stored definition changes when a table gets another column', async () => {
    const statements = await readSchema(sqlFolder)
    const built = await databaseFromSchema(serverUrl)
    const readFunctions = async () =>
      (await describeSchema(built.owner)).filter((line) => line.startsWith('function '))
    const before = await readFunctions()
    // The stored form of a standard SQL body contains the columns that a row type had when the function was created.
    // After a column is added to the table, the same source text creates a different function, so the migration that
    // adds the column would have to create the function again.
    const { rows: tables } = await built.owner.query<{ name: string }>(`
      select oid::regclass::text as name from pg_class
      where relkind = 'r' and relnamespace in ('public'::regnamespace, 'internal'::regnamespace)`)
    expect(tables.length).toBeGreaterThan(40)
    for (const { name } of tables) {
      await built.owner.query(`alter table ${name} add column added_later integer`)
    }
    const refused: string[] = []
    for (const { text, tokens, file, line } of statements) {
      if (tokens[0] !== 'create' || tokens[1] !== 'function') continue
      const sql = text.replace(/^create function/m, 'create or replace function')
      await built.owner.query(sql).catch(() => refused.push(`${file}:${line}`))
    }
    const changed = differences(before, await readFunctions())
    await built.drop()
    expect({ refused, changed: changed.map((line) => /function [\w.]+/.exec(line)?.[0]) }).toEqual({
      refused: [],
      changed: [],
    })
  })

  it('differ from the migrations after a one-line change without a migration', async () => {
    cpSync(join(sqlFolder, 'schemas'), join(folder, 'schemas'), { recursive: true })
    const file = join(folder, 'schemas', '20_services.sql')
    const text = readFileSync(file, 'utf8')
    const line = 'price_from_cents between 1 and 10000000'
    expect(text).toContain(line)
    writeFileSync(file, text.replace(line, 'price_from_cents between 1 and 20000000'))
    expect(await compare(folder)).toEqual([
      expect.stringMatching(/^- constraint .*services_price_from_cents_in_range.*10000000/),
      expect.stringMatching(/^\+ constraint .*services_price_from_cents_in_range.*20000000/),
    ])
  })
})

describe('the comparison of two databases detects', () => {
  /**
   * Test cases, each with a change of the database: the name of the test, the start of the description line that must
   * differ, and the SQL of the change. Each case changes a different object.
   */
  const changes: readonly (readonly [name: string, line: string, sql: string])[] = [
    [
      'another default',
      'column tasks.priority:',
      `alter table public.tasks alter column priority set default 'low'`,
    ],
    [
      'a column that may be null',
      'column tasks.title:',
      'alter table public.tasks alter column title drop not null',
    ],
    [
      'another type of a column',
      'column stripe_sandbox.objects.object:',
      'alter table stripe_sandbox.objects alter column object type varchar(60)',
    ],
    [
      'another generated column',
      'column quote_requests.looks_automated:',
      `alter table public.quote_requests alter column looks_automated set expression as (flagged_reasons = '{}')`,
    ],
    [
      'a check that is gone',
      'constraint shop shop_position_is_whole:',
      'alter table public.shop drop constraint shop_position_is_whole',
    ],
    [
      'a constraint that is not validated',
      'constraint booking_events booking_events_are_valid:',
      `alter table public.booking_events drop constraint booking_events_are_valid;
       alter table public.booking_events add constraint booking_events_are_valid
         check (internal.is_booking_event_valid(kind, source, changed_by_name, reason)) not valid`,
    ],
    [
      'an index with another condition',
      'index bookings_held:',
      `drop index public.bookings_held; create index bookings_held on public.bookings (held_until)`,
    ],
    [
      'another start of a sequence',
      'sequence internal.estimate_count:',
      'alter sequence internal.estimate_count start 1',
    ],
    [
      'another field of a type',
      'column internal.action_outcome_fields.more:',
      'alter type internal.action_outcome_fields add attribute more text',
    ],
    [
      'a domain that refuses null',
      'type internal.action_outcome:',
      'alter domain internal.action_outcome set not null',
    ],
    [
      'a function that is volatile',
      'function internal.is_admin():',
      'alter function internal.is_admin() volatile',
    ],
    [
      'a function that is cheap',
      'function internal.open_spans(date,uuid):',
      'alter function internal.open_spans(date, uuid) cost 100',
    ],
    [
      'a function with the rights of its caller',
      'function internal.record_settings_change():',
      'alter function internal.record_settings_change() security invoker',
    ],
    [
      'another search_path',
      'function internal.shop_now():',
      'alter function internal.shop_now() set search_path = public',
    ],
    [
      'another body in dollar quotes',
      'function internal.prevent_history_change():',
      `create or replace function internal.prevent_history_change() returns trigger
       language plpgsql set search_path = '' as 'begin return null; end'`,
    ],
    [
      'a function that everybody may call',
      'function internal.normalize_search_text(text):',
      'grant execute on function internal.normalize_search_text(text) to public',
    ],
    [
      'a trigger that is off',
      'trigger tasks follow_task_deletion:',
      'alter table public.tasks disable trigger follow_task_deletion',
    ],
    [
      'a trigger that is gone',
      'trigger shop record_settings_change:',
      'drop trigger record_settings_change on public.shop',
    ],
    [
      'a policy for another role',
      'policy bookings the admin reads bookings:',
      'alter policy "the admin reads bookings" on public.bookings to shop_server',
    ],
    [
      'a policy with another condition',
      'policy bookings owners delete bookings:',
      'alter policy "owners delete bookings" on public.bookings using (true)',
    ],
    [
      'a table without row-level security',
      'relation r tasks:',
      'alter table public.tasks disable row level security',
    ],
    ['a right on a table', 'relation r shop:', 'grant truncate on public.shop to shop_server'],
    [
      'a right on a column of a table',
      'column bookings.customer_name:',
      'grant update (customer_name) on public.bookings to authenticated',
    ],
    [
      'a right on a column of a view',
      'column internal.priced_lines.cents:',
      'grant select (cents) on internal.priced_lines to anon',
    ],
    [
      'a right on a sequence',
      'sequence internal.invoice_count:',
      'grant usage on sequence internal.invoice_count to anon',
    ],
    ['a right on a schema', 'schema internal:', 'grant create on schema internal to anon'],
    [
      'a right that goes with what is created',
      'default privileges ',
      'alter default privileges in schema public grant select on tables to anon',
    ],
    [
      'a view with the rights of its owner',
      'relation v schedule_conflicts:',
      'alter view public.schedule_conflicts reset (security_invoker)',
    ],
    [
      'an option of a table',
      'relation r estimates:',
      'alter table public.estimates set (fillfactor = 50)',
    ],
    ['another owner', 'relation r customers:', 'alter table public.customers owner to shop_server'],
    [
      'another comment',
      'column bookings.status:',
      `comment on column public.bookings.status is 'Something else.'`,
    ],
    ['a member of a role', 'role anon:', 'grant shop_server to anon'],
    [
      'another first row',
      'row of internal.visitor_email_limits:',
      'update internal.visitor_email_limits set max_count = 1',
    ],
    [
      'a kind of object that the schema had none of',
      'unknown kind everything:',
      'create publication everything for all tables',
    ],
  ]

  let found: readonly string[]
  beforeAll(async () => {
    const database = await databaseFromSchema(serverUrl)
    const client = await database.owner.connect()
    const before = await describeSchema(client)
    // Rolls the changes back, because a change of a role affects all databases of the PostgreSQL server.
    await client.query('begin')
    for (const [, , sql] of changes) await client.query(sql)
    found = differences(before, await describeSchema(client))
    await client.query('rollback')
    client.release()
    await database.drop()
  })

  it.each(changes)('%s', (_name, line) => {
    expect(found.some((difference) => difference.slice(2).startsWith(line))).toBe(true)
  })
})
