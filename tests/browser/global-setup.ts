import { startTestServer } from '#tests/support/database/test-server.ts'

/** Starts one PostgreSQL for the whole run. Each worker starts the shop on a copy of the template database. */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await startTestServer()
  process.env['E2E_OWNER_URL'] = server.ownerUrl
  process.env['E2E_TEMPLATE'] = server.template
  return () => server.stop()
}
