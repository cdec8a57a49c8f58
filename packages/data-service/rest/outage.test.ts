import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '@local/postgres'
import { openOurs } from '../conformance/bookshop.ts'
import { registerRest } from './register-rest.ts'

const closers: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

test('without a database the response is a 503 with a code', async () => {
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

test('requests are served again after the database closed every connection', async () => {
  const ours = await openOurs()
  closers.push(() => ours.close())
  const status = async () => (await ours.app.inject('/rest/v1/books')).statusCode
  expect(await status()).toBe(200)
  await ours.testDatabase.owner.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  // The pool may notice that a connection is closed only when a request uses it, which then fails.
  await expect.poll(status).toBe(200)
})
