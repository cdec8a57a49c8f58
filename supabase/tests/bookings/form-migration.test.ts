import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { type Database, openDatabase } from '@local/postgres'
import {
  createScratchDatabase,
  type ScratchDatabase,
} from '../../../scripts/migration/scratch-databases.ts'
import { signFormToken } from '#server/features/form-guard/form-tokens.ts'
import { poolUrlOf } from '#server/platform/database/bootstrap-database.ts'
import { readMigrations } from '#server/platform/database/migration-files.ts'
import { migrate, migrateTo, sqlFolder } from '#server/platform/database/migrations.ts'
import { insertRow } from '#tests/support/database/database-fixtures.ts'

const { ownerUrl: serverUrl } = inject('testServer')
const key = 'the key of the forms of this shop'

let shop: ScratchDatabase
let database: Database
beforeAll(async () => {
  const migrations = await readMigrations(sqlFolder)
  const oneRow = migrations.findIndex(({ name }) => name === 'one_row_for_a_form')
  shop = await createScratchDatabase(serverUrl, (url) =>
    migrateTo(url, migrations.slice(0, oneRow)),
  )
  await shop.owner.query(`insert into internal.secrets (name, value) values ('form_key', $1)`, [
    key,
  ])
  database = openDatabase(poolUrlOf(shop.ownerUrl))
})
afterAll(async () => {
  await database.close()
  await shop.drop()
})

const openForm = (secondsAgo: number) => signFormToken(Date.now() - secondsAgo * 1000, key)

/**
 * Sends a quote request with a form token. Returns the reasons for which the database flagged the request as automated.
 */
async function send(token: string): Promise<readonly string[]> {
  await database.transaction({ role: 'anon', headers: { 'x-form-token': token } }, (query) =>
    insertRow(query, 'quote_requests', {
      name: 'Dana Whitfield',
      email: 'dana@example.com',
      vehicle_year: '2019',
      vehicle_make: 'Subaru',
      vehicle_model: 'Outback',
      description: 'It squeaks.',
    }),
  )
  const { rows } = await shop.owner.query<{ flagged_reasons: string[] }>(
    'select flagged_reasons from public.quote_requests order by created_at desc limit 1',
  )
  return rows[0]?.flagged_reasons ?? ['not stored']
}

it('Form tokens that were used before the migration remain used, even when the record of the form was deleted', async () => {
  const [kept, deleted, unused] = [openForm(60), openForm(70), openForm(80)]
  expect([await send(deleted), await send(deleted)]).toEqual([[], ['form_token_reused']])
  await shop.owner.query('delete from public.quote_requests')
  expect([await send(kept), await send(kept)]).toEqual([[], ['form_token_reused']])
  await migrate(shop.ownerUrl)
  const { rows } = await shop.owner.query(
    `select first_use, quote_request_id is not null as has_record, count(*)::int
     from internal.form_origins group by 1, 2 order by 1, 2`,
  )
  expect(rows).toEqual([
    { first_use: true, has_record: false, count: 1 },
    { first_use: true, has_record: true, count: 1 },
    { first_use: null, has_record: true, count: 1 },
  ])
  expect([await send(kept), await send(deleted), await send(unused)]).toEqual([
    ['form_token_reused'],
    ['form_token_reused'],
    [],
  ])
})
