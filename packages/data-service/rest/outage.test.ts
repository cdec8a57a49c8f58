import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '@local/postgres'
import { openOurs } from '../conformance/bookshop.ts'
import { registerRest } from './register-rest.ts'

const closers: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

test('a request gets status 503 with an error code while the database is unreachable', async () => {
  const app = Fastify()
  const database = openDatabase('postgres://nobody:nothing@127.0.0.1:1/none')
  closers.push(
    () => database.close(),
    () => app.close(),
  )
  registerRest(app, {
    database,
    authenticate: () => ({ ok: true, identity: { role: 'anon' } }),
    publicUrl: 'http://site.example',
  })
  const response = await app.inject('/rest/v1/books')
  expect(response.statusCode).toBe(503)
  expect(response.json()).toMatchObject({ code: 'PGRST001' })
})

test('requests are served again after the database has closed every connection', async () => {
  const ours = await openOurs()
  closers.push(() => ours.close())
  const status = async () => (await ours.app.inject('/rest/v1/books')).statusCode
  expect(await status()).toBe(200)
  await ours.testDatabase.owner.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  // The first request may fail, because the pool may notice only then that PostgreSQL closed the connection.
  await expect.poll(status).toBe(200)
})
