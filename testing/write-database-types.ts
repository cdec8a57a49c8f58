import { writeFileSync } from 'node:fs'
import { renderDatabaseTypes } from './database-types.ts'
import { openPool } from './open-pool.ts'
import { startTestServer } from './test-server.ts'

// Run by `npm run types`: a fresh database with every migration, and what it looks like as types.

const server = await startTestServer()
const url = new URL(server.ownerUrl)
url.pathname = `/${server.template}`
const pool = openPool(url.href, 1)
try {
  const path = new URL('../contracts/database-types.ts', import.meta.url)
  writeFileSync(path, await renderDatabaseTypes(pool))
} finally {
  await pool.end()
  await server.stop()
}
