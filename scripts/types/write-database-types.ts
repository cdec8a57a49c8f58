import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderDatabaseTypes } from './database-types.ts'
import { openPool } from '#tests/support/database/open-pool.ts'
import { renderStatements } from './render-statements.ts'
import { startTestServer } from '#tests/support/database/test-server.ts'

// `npm run types` runs this script, which creates a database and writes two kinds of TypeScript types: of the tables
// and functions, and of the SQL statements in the server and its packages.

const server = await startTestServer()
const url = new URL(server.ownerUrl)
url.pathname = `/${server.template}`
const pool = openPool(url.href, 1)
const root = join(import.meta.dirname, '../..')
const write = (path: string, text: string) => writeFileSync(join(root, path), text)
try {
  write('contracts/database-types.ts', await renderDatabaseTypes(pool))
  for (const [path, text] of Object.entries(await renderStatements(pool))) write(path, text)
} finally {
  await pool.end()
  await server.stop()
}
