import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Query, rowsAs } from '@local/postgres'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { describeStatement } from './describe-statement.ts'
import { readCatalog } from './read-catalog.ts'
import { listStatementFiles, renderStatements } from './render-statements.ts'
import { typeOfStatement } from './statement-types.ts'

const root = join(import.meta.dirname, '../..')
let shop: TestDatabase
let client: Client
beforeAll(async () => {
  shop = await createTestDatabase()
  client = new Client({ connectionString: shop.ownerUrl })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await shop.drop()
})

it('the generated types of the statements are equal to those that PostgreSQL reports', async () => {
  for (const [path, text] of Object.entries(await renderStatements(shop.owner))) {
    expect(await readFile(join(root, path), 'utf8')).toBe(text)
  }
})

it('the only unchecked statements are those built at run time and those of @local/postgres', async () => {
  const files = ['server', 'packages'].flatMap(listStatementFiles)
  const sources = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')))
  expect(files.filter((_, index) => sources[index]?.includes('.unchecked')).sort()).toEqual([
    'packages/data-service/auth/sessions.ts',
    'packages/data-service/auth/sign-in.ts',
    'packages/data-service/auth/users.ts',
    'packages/data-service/rest/serve.ts',
    'packages/postgres/session-locks.ts',
    'packages/stripe-sandbox/objects/object-store.ts',
  ])
})

describe('the generated type of a statement', () => {
  const typeOf = async (text: string) =>
    typeOfStatement(text, await describeStatement(client, text), await readCatalog(client))

  it('contains the types of the columns, with null if the table allows null', async () => {
    expect(
      await typeOf('select customer_name, notes, duration_minutes from public.bookings'),
    ).toContain(
      'row: {\n      customer_name: string\n      notes: string | null\n      duration_minutes: number\n    }',
    )
  })

  it("refers to the column's own type when a check constraint or a key limits its values", async () => {
    expect(await typeOf('select status as "its state" from public.tasks')).toContain(
      `"its state": Column<'tasks', 'status'>`,
    )
  })

  it.each([
    'select lower(customer_name) as it from public.bookings',
    'select recipient_name as it from public.claim_email($1)',
    'select b.id::text as it from public.bookings b',
    'select c.customer_name as it from public.services s left join public.bookings c on true',
    'select customer_name as it from public.bookings union select null',
  ])('does not declare whether the result can be null for: %s', async (text) => {
    expect(await typeOf(text)).toContain('it: Computed<string>')
  })

  it('includes the types of the placeholders', async () => {
    expect(
      await typeOf('select from internal.rate_limits where key = any ($1) and taken > $2'),
    ).toContain('values: [readonly Buffer[], number]')
  })

  it('is not generated if a column is missing; the error names the column and the statement', async () => {
    await expect(typeOf('select custmer_name from public.bookings')).rejects.toThrow(
      'column "custmer_name" does not exist, in: select custmer_name',
    )
    await expect(typeOf('select 1 as it')).resolves.toContain('it: Computed<number>')
  })
})

// No code calls this function. The test passes when the file compiles, and the file compiles only if every error that
// is marked with @ts-expect-error occurs.
export async function findCompileErrors(query: Query): Promise<void> {
  const [request] = await query('select id, name, email from public.quote_requests where id = $1', [
    'id',
  ])
  request?.name satisfies string | undefined
  // @ts-expect-error: reads a column that the statement does not select
  request?.vehicle_make satisfies unknown
  // @ts-expect-error: passes a statement that is not in the generated file
  await query('select id, nam from public.quote_requests where id = $1', ['id'])
  // @ts-expect-error: passes too few values
  await query('select id, name, email from public.quote_requests where id = $1', [])
  // @ts-expect-error: passes a value of another type
  await query('select id, name, email from public.quote_requests where id = $1', [7])

  const users = await query(
    `select to_jsonb(users) - 'encrypted_password' as "user", encrypted_password from auth.users where email = $1`,
    ['a@example.com'],
  )
  rowsAs<{ user: { id: string }; encrypted_password: string | null }>(users)
  // @ts-expect-error: declares a column that can be null as not null
  rowsAs<{ encrypted_password: string }>(users)
  // @ts-expect-error: declares a column of another type
  rowsAs<{ encrypted_password: number | null }>(users)
  // @ts-expect-error: declares JSON as a text
  rowsAs<{ user: string }>(users)
  // @ts-expect-error: declares a column that the statement does not select
  rowsAs<{ id: string }>(users)
  // @ts-expect-error: leaves the content of JSON undeclared
  users[0]?.user satisfies { id: string } | undefined
}
