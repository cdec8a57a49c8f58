import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '@local/postgres'
import { createTestDatabase } from '#tests/support/database/database.ts'
import { registerRest } from './register-rest.ts'

const closers: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

async function serve(url: string) {
  const app = Fastify()
  const database = openDatabase(url)
  registerRest(app, {
    database,
    authenticate: () => ({ ok: true, identity: { role: 'anon' } }),
    publicUrl: 'http://shop.example',
  })
  closers.push(
    () => database.close(),
    () => app.close(),
  )
  await app.ready()
  return app
}

test('no database is 503 with a code, not a crash', async () => {
  const app = await serve('postgres://nobody:nothing@127.0.0.1:1/none')
  const response = await app.inject('/rest/v1/services')
  expect(response.statusCode).toBe(503)
  expect(response.json()).toMatchObject({ code: 'PGRST001' })
})

test('after the database cut every connection, requests are served again', async () => {
  const shop = await createTestDatabase()
  closers.push(() => shop.drop())
  const app = await serve(shop.url)
  expect((await app.inject('/rest/v1/services')).statusCode).toBe(200)
  await shop.owner.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  // A connection may be found dead only when it is used; that costs one request at most.
  await expect.poll(async () => (await app.inject('/rest/v1/services')).statusCode).toBe(200)
})
