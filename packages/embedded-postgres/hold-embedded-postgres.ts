import { startEmbeddedPostgres } from './embedded-postgres.ts'

// The crash tests start this program as another process. The program starts the embedded PostgreSQL in the given
// folder, prints the URL or the error, and runs until the test kills it.
const [, , dataDirectory = ''] = process.argv
try {
  const server = await startEmbeddedPostgres({ dataDirectory })
  process.stdout.write(`${JSON.stringify({ ownerUrl: server.ownerUrl })}\n`)
  setInterval(() => undefined, 60_000)
} catch (error) {
  process.stdout.write(`${JSON.stringify({ refusal: String(error) })}\n`)
}
