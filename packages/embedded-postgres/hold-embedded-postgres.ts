import { startEmbeddedPostgres } from './embedded-postgres.ts'

// A process for the crash tests: starts the embedded PostgreSQL in the given folder, prints its URL or the error, and
// runs until it is killed.
const [, , dataDirectory = ''] = process.argv
try {
  const server = await startEmbeddedPostgres({ dataDirectory })
  process.stdout.write(`${JSON.stringify({ ownerUrl: server.ownerUrl })}\n`)
  setInterval(() => undefined, 60_000)
} catch (error) {
  process.stdout.write(`${JSON.stringify({ refusal: String(error) })}\n`)
}
