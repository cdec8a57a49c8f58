import { startTestServer } from '#tests/support/database/test-server.ts'

/** One PostgreSQL for the whole run; every worker starts the shop on a copy of its template. */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await startTestServer()
  process.env['E2E_OWNER_URL'] = server.ownerUrl
  process.env['E2E_TEMPLATE'] = server.template
  return () => server.stop()
}
