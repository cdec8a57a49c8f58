import { writeFileSync } from 'node:fs'
import { renderDatabaseTypes } from './database-types.ts'
import { openPool } from '#tests/support/database/open-pool.ts'
import { renderStatements } from './render-statements.ts'
import { startTestServer } from '#tests/support/database/test-server.ts'

// Run by `npm run types`: a fresh database, what it looks like as types, and what it says
// of the server's statements.

const server = await startTestServer()
const url = new URL(server.ownerUrl)
url.pathname = `/${server.template}`
const pool = openPool(url.href, 1)
const write = (path: string, text: string) => writeFileSync(new URL(path, import.meta.url), text)
try {
  write('../../contracts/database-types.ts', await renderDatabaseTypes(pool))
  write('../../server/platform/database/statements.ts', await renderStatements(pool))
} finally {
  await pool.end()
  await server.stop()
}
