import Fastify from 'fastify'
import { registerRest } from '@local/data-service'
import { openDatabase } from '@local/postgres'

// Runs the data service (the product's REST API) in a process of its own, like PostgREST, without rate limits. The
// arguments are the URL of the database and the size of the connection pool.
const [databaseUrl = '', poolSize = '10'] = process.argv.slice(2)
const app = Fastify()
registerRest(app, {
  database: openDatabase(databaseUrl, { maxConnections: Number(poolSize) }),
  publicUrl: 'http://shop.example',
  authenticate: () => ({
    ok: true,
    identity: { role: 'anon', headers: { 'x-rate-limits': 'off' } },
  }),
})
process.send?.(await app.listen({ port: 0, host: '127.0.0.1' }))
