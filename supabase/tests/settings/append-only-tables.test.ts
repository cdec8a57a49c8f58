import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'

let shop: TestDatabase
const runQuery = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await shop.owner.query<Row>(sql, values)).rows

/** Lists the tables whose comment marks them as append-only. */
const listLedgers = async () =>
  (
    await runQuery<{ name: string }>(
      `select format('%I.%I', nspname, relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
       where relkind in ('r', 'p') and obj_description(c.oid, 'pg_class') like '%[append-only]%' order by 1`,
    )
  ).map(({ name }) => name)

/**
 * Inserts a row into each append-only table without its check constraints and triggers, so that only the protection
 * against changes can refuse the statements of the tests.
 */
const oneLineEach = `
  set session_replication_role = replica;
  insert into public.booking_events (booking_id, kind, source, changed_by_name)
    values (gen_random_uuid(), 'booked', 'visitor', 'visitor');
  insert into public.settings_history (section, subject, action, changed_by_name) values ('shop', '', 'changed', 'ana');
  insert into public.estimate_events (estimate_id, kind, changed_by_name) values (gen_random_uuid(), 'relinked', 'ana');
  insert into public.payments (invoice_id, payment_intent_id, amount_cents, currency, kind, method, paid_at, business_date)
    values ('in_real', 'pi_real', 100, 'usd', 'payment', 'card_online', now(), current_date);
  insert into internal.backup_drills (started_at, outcome, row_count) values (now(), 'proven', 1);
  insert into internal.backup_key_copies (fingerprint, confirmed_by_name) values ('AAAA BBBB CCCC', 'ana');
  insert into public.credit_notes (invoice_id, kind, amount_cents, tax_cents, reason, created_by_name, business_date)
    values ('in_real', 'refund', 100, 0, 'Returned.', 'ana', current_date);
  insert into public.credit_note_parts (credit_note_id, part_key, amount_cents, tax_cents) values (gen_random_uuid(), '1', 100, 0);
  insert into public.invoice_lines (invoice_id, position, description, cents, tax_cents) values ('in_real', 1, 'Oil', 100, 0);
  insert into public.invoice_events (invoice_id, kind, reason, changed_by_name) values ('in_real', 'voided', 'Wrong.', 'ana');
  insert into public.cash_movements (kind, amount_cents, reason, business_date, recorded_by_name, recorded_at)
    values ('paid_in', 100, 'Change', current_date, 'ana', now());
  insert into public.day_closes (business_date, start_cents, counted, expected_cents, terminal_expected_cents,
      check_expected_cents, remains_cents, closed_by_name, closed_at)
    values (current_date, 0, '{}', 0, 0, 0, 0, 'ana', now());
  insert into public.day_close_corrections (close_id, amount_cents, reason, recorded_by_name, recorded_at)
    values (gen_random_uuid(), 100, 'Found', 'ana', now());
  insert into public.audit_events (kind) values ('erased');
  insert into internal.sealed_setting_changes (name, action, changed_by, changed_at)
    values ('email', 'saved', gen_random_uuid(), now());
  insert into public.erasures (customer_id, erased_by_name, counts, retained) values (gen_random_uuid(), 'ana', '{}', '[]');
  insert into public.authorizations (estimate_id, revision, revision_hash, job_key, batch_id, job_title, decision, amount_cents,
      running_total_cents, method, decided_by_name, decided_at, recorded_by)
    values (gen_random_uuid(), 1, 'hash', gen_random_uuid(), gen_random_uuid(), 'Brakes', 'approved', 1, 1, 'web', 'Sam',
      now(), 'customer');
  insert into public.estimate_invoices (id, estimate_id, revision, total_cents, tax_cents, claimed_by)
    values ('00000000-0000-4000-8000-000000000009', gen_random_uuid(), 1, 100, 0, 'ana');
  insert into public.estimate_invoice_jobs (claim_id, job_key, cents)
    values ('00000000-0000-4000-8000-000000000009', gen_random_uuid(), 100);
  set session_replication_role = origin`

beforeAll(async () => {
  shop = await createTestDatabase()
  await shop.owner.query(oneLineEach)
})
afterAll(() => shop.drop())

/**
 * Runs a statement as the owner of the tables and rolls the statement back; returns the error code of the refusal, or
 * undefined when the statement succeeds.
 */
async function refusedWith(sql: string, exception = ''): Promise<string | undefined> {
  const session = await shop.owner.connect()
  try {
    await session.query('begin')
    await session.query(`select set_config('shop.ledger_exception', $1, true)`, [exception])
    return await session.query(sql).then(
      () => undefined,
      (error: { code: string }) => error.code,
    )
  } finally {
    await session.query('rollback')
    session.release()
  }
}

/**
 * The TRUNCATE statements of tables to which other tables refer. PostgreSQL itself refuses these statements without
 * CASCADE.
 */
const referenced = new Set([
  'truncate public.credit_notes',
  'truncate public.day_closes',
  'truncate public.estimate_invoices',
  'truncate public.payments',
])

/** Lists every table whose TRUNCATE … CASCADE would empty one of the given append-only tables. */
const listAbove = async (ledgers: readonly string[]) =>
  (
    await runQuery<{ name: string }>(
      `with recursive above (id) as (
         select unnest($1::text[])::regclass
         union select confrelid::regclass from pg_constraint join above on conrelid = above.id where contype = 'f'
       )
       select id::text as name from above`,
      [ledgers],
    )
  ).map(({ name }) => name)

describe('an append-only table', () => {
  it('is in the list of expected append-only tables, which is complete', async () => {
    expect(await listLedgers()).toEqual(
      expect.arrayContaining([
        'public.audit_events',
        'public.authorizations',
        'public.booking_events',
        'public.credit_note_parts',
        'public.credit_notes',
        'public.cash_movements',
        'public.day_close_corrections',
        'public.day_closes',
        'public.erasures',
        'public.estimate_events',
        'public.estimate_invoice_jobs',
        'public.estimate_invoices',
        'public.invoice_events',
        'public.invoice_lines',
        'public.payments',
        'public.settings_history',
      ]),
    )
  })

  it('has the tag [append-only] in its comment exactly when a trigger refuses changes', async () => {
    const guarded = await runQuery<{ name: string }>(
      `select distinct tgrelid::regclass::text as name from pg_trigger where tgfoid = 'internal.prevent_history_change'::regproc`,
    )
    // PostgreSQL omits the schema name of a table in the search path, so the test adds the schema `public`.
    const names = guarded.map(({ name }) => (name.includes('.') ? name : `public.${name}`))
    expect(names.toSorted((one, other) => one.localeCompare(other))).toEqual(await listLedgers())
  })

  it('refuses UPDATE of every column, DELETE and TRUNCATE, even from its owner', async () => {
    for (const table of await listLedgers()) {
      const lines = await runQuery(`select * from ${table}`)
      expect([table, lines.length > 0]).toEqual([table, true])
      const columns = await runQuery<{ name: string }>(
        `select quote_ident(attname) as name from pg_attribute
         where attrelid = $1::regclass and attnum > 0 and not attisdropped and attidentity = '' and attgenerated = ''`,
        [table],
      )
      for (const sql of [
        ...columns.map(({ name }) => `update ${table} set ${name} = ${name}`),
        `delete from ${table}`,
        `truncate ${table}`,
        `truncate ${table} cascade`,
      ])
        expect([sql, await refusedWith(sql)]).toEqual([
          sql,
          // PostgreSQL itself refuses to truncate a referenced table without CASCADE (0A000). A trigger refuses all
          // other statements of this test (TT055).
          referenced.has(sql) ? '0A000' : 'TT055',
        ])
    }
  })

  it('cannot be emptied by TRUNCATE … CASCADE of a table to which it refers', async () => {
    const above = await listAbove(await listLedgers())
    expect(above).toEqual(expect.arrayContaining(['estimates', 'bookings', 'customers']))
    for (const table of above)
      expect([table, await refusedWith(`truncate ${table} cascade`)]).toEqual([table, 'TT055'])
  })
})

describe('the transactions that may change append-only tables', () => {
  it('are the removal of the sample week, the erasure of a customer after the retention period, and the cleanup of the audit log', async () => {
    expect(
      await runQuery(
        `select proname as name, exception[1] as exception
         from pg_proc, regexp_matches(prosrc, 'set_config\\(''shop.ledger_exception'', ''(\\w+)''', 'g') exception order by 1`,
      ),
    ).toEqual([
      { name: 'clean_audit', exception: 'audit_cleanup' },
      { name: 'erase_customer', exception: 'erasure' },
      { name: 'redact_expired_records', exception: 'erasure' },
      { name: 'remove_sample_week', exception: 'sample_week_removal' },
    ])
  })

  it.each([
    ['erasure', 'update public.booking_events set kind = kind || 1'],
    ['erasure', 'update public.settings_history set changed_by_name = $$x$$'],
    ['erasure', 'update public.authorizations set decided_by_name = $$x$$'],
    ['erasure', 'update public.estimate_invoice_jobs set cents = 1'],
    ['erasure', 'update public.payments set amount_cents = 1'],
    ['erasure', 'update public.payments set note = $$Another note$$'],
    ['erasure', 'update public.erasures set retained = $$[1]$$'],
    ['erasure', 'delete from public.booking_events'],
    ['erasure', 'delete from public.settings_history'],
    ['erasure', 'delete from public.payments'],
    ['erasure', 'delete from public.erasures'],
    ['erasure', 'truncate public.authorizations'],
    ['sample_week_removal', 'update public.payments set amount_cents = 1'],
    ['sample_week_removal', 'delete from public.payments'],
    ['sample_week_removal', 'delete from public.booking_events'],
    ['sample_week_removal', 'truncate public.estimates cascade'],
    ['audit_cleanup', 'update public.audit_events set kind = $$signed_in$$'],
    ['audit_cleanup', 'delete from public.audit_events'],
    ['audit_cleanup', 'delete from public.erasures'],
    ['an unknown exception', 'delete from public.payments'],
  ])('of kind %s still refuse the statement %s', async (exception, sql) => {
    expect(await refusedWith(sql, exception)).toBe('TT055')
  })

  it.each(['erasure', 'sample_week_removal'])(
    'of kind %s keep the authorizations of the last three years',
    async (exception) => {
      for (const table of ['authorizations', 'estimate_invoices', 'estimate_invoice_jobs'])
        expect(await refusedWith(`delete from public.${table}`, exception)).toBe('TT076')
    },
  )
})

it('the state of an estimate invoice can change only from “claimed” to “made” or “failed”, and from “made” to “voided”', async () => {
  const step = async (from: string, to: string) => {
    await shop.owner.query(
      `set session_replication_role = replica;
       update public.estimate_invoices set state = '${from}', invoice_id = 'in_1', number = 'INV-1';
       set session_replication_role = origin`,
    )
    return refusedWith(`update public.estimate_invoices set state = '${to}'`)
  }
  const states = ['claimed', 'made', 'failed', 'voided']
  const allowed: string[] = []
  for (const from of states)
    for (const to of states) if ((await step(from, to)) === undefined) allowed.push(`${from} ${to}`)
  expect(allowed).toEqual(['claimed made', 'claimed failed', 'made voided'])
})
