import { startEmbeddedPostgres } from './embedded-postgres.ts'

// A process that starts the embedded PostgreSQL in the folder it is given, says so, and stays until it
// is killed: what the tests of crashes kill.
const [, , dataDirectory = ''] = process.argv
try {
  const server = await startEmbeddedPostgres({ dataDirectory })
  process.stdout.write(`${JSON.stringify({ ownerUrl: server.ownerUrl })}\n`)
  setInterval(() => undefined, 60_000)
} catch (error) {
  process.stdout.write(`${JSON.stringify({ refusal: String(error) })}\n`)
}
