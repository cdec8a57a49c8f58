import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { renderDatabaseTypes } from './database-types.ts'

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
})
afterAll(() => shop.drop())

it('contracts/database-types.ts is equal to the types of the schema files (`npm run types` writes it)', async () => {
  const written = await readFile(
    new URL('../../contracts/database-types.ts', import.meta.url),
    'utf8',
  )
  expect(written).toBe(await renderDatabaseTypes(shop.owner))
})
