import { readFile } from 'node:fs/promises'
import type { Pool } from 'pg'
import { afterAll, expect, it } from 'vitest'
import { createTestDatabase } from '#tests/support/database/database.ts'

const schema = new URL('../../../packages/stripe-sandbox/schema.sql', import.meta.url)
const shop = await createTestDatabase()
afterAll(() => shop.drop())

it('supabase/schemas has the tables, constraints and indexes that the Stripe sandbox needs', async () => {
  const ours = await describeSchema(shop.owner)
  await shop.owner.query('drop schema stripe_sandbox cascade')
  await shop.owner.query(await readFile(schema, 'utf8'))
  expect(ours).toEqual(await describeSchema(shop.owner))
})

/** Lists columns, constraints and indexes of the schema `stripe_sandbox` as text. */
async function describeSchema(owner: Pool): Promise<string[]> {
  const { rows } = await owner.query<{ line: string }>(
    `select concat_ws(' ', table_name, column_name, data_type, is_nullable, is_identity, column_default) as line
     from information_schema.columns where table_schema = 'stripe_sandbox'
     union all
     select concat_ws(' ', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
     where connamespace = 'stripe_sandbox'::regnamespace
     union all
     select indexdef from pg_indexes where schemaname = 'stripe_sandbox'
     union all
     select concat_ws(' ', sequence_name, data_type) from information_schema.sequences
     where sequence_schema = 'stripe_sandbox'
     order by 1`,
  )
  return rows.map(({ line }) => line)
}
