import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anonToken, openOurs, readerToken, type OurBookshop } from '../conformance/bookshop.ts'

type TestRequest = {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'
  readonly token?: string
  readonly payload?: object
  readonly prefer?: string
}

describe('a request whose role lacks a privilege', () => {
  let ours: OurBookshop
  let sent: string[] = []

  beforeAll(async () => {
    ours = await openOurs((sql) => sent.push(sql))
  })
  afterAll(() => ours?.close())

  const sendRequest = (
    path: string,
    { method = 'GET', token = anonToken, payload, prefer = '' }: TestRequest = {},
  ) => {
    sent = []
    const headers = { authorization: `Bearer ${token}`, prefer }
    return ours.app.inject({ url: `/rest/v1${path}`, method, headers, ...(payload && { payload }) })
  }

  test.each<[string, TestRequest, message: string]>([
    ['/vault', {}, 'permission denied for table vault'],
    ['/vault?select=id&id=eq.1', { method: 'HEAD' }, ''],
    ['/books?select=id,vault(secret)', {}, 'permission denied for table vault'],
    ['/authors?select=id,books!author_id(vault(id))', {}, 'permission denied for table vault'],
    ['/mailbox', {}, 'permission denied for table mailbox'],
    [
      '/mailbox',
      { method: 'POST', payload: { message: 'x' }, prefer: 'return=representation' },
      'permission denied for table mailbox',
    ],
    ['/vault', { method: 'POST', payload: { id: 2 } }, 'permission denied for table vault'],
    ['/mailbox?id=eq.1', { method: 'DELETE' }, 'permission denied for table mailbox'],
    [
      '/mailbox?id=eq.1',
      { method: 'PATCH', payload: { message: 'x' } },
      'permission denied for table mailbox',
    ],
    ['/rpc/hidden', {}, 'permission denied for function hidden'],
    ['/rpc/books_above?minimum=1&select=vault(id)', {}, 'permission denied for table vault'],
  ])('for %s %j is refused before a statement is built', async (path, request, message) => {
    const response = await sendRequest(path, request)
    expect([response.statusCode, sent]).toEqual([401, []])
    if (message) expect(response.json()).toMatchObject({ code: '42501', message })
  })

  test('gets status 403 instead of 401 when the user is signed in', async () => {
    const response = await sendRequest('/vault', { token: readerToken })
    expect([response.statusCode, sent]).toEqual([403, []])
    expect(response.headers).not.toHaveProperty('www-authenticate')
  })

  test('is refused by PostgreSQL if the role has the privilege on some columns, but not on all requested columns', async () => {
    expect((await sendRequest('/staff?select=id,name')).json()).toEqual([{ id: 1, name: 'Sam' }])
    const whole = await sendRequest('/staff')
    expect([whole.statusCode, sent.length]).toEqual([401, 1])
    expect(whole.json()).toMatchObject({ message: 'permission denied for table staff' })
  })

  test('is accepted if it only inserts a row into a table that the role cannot read', async () => {
    const left = await sendRequest('/mailbox', { method: 'POST', payload: { message: 'Hello' } })
    expect(left.statusCode).toBe(201)
  })

  test('is served some seconds after the privilege is granted, even without `notify pgrst`', async () => {
    await ours.testDatabase.owner.query('create table late (id int); insert into late values (1)')
    await ours.testDatabase.owner.query(`notify pgrst, 'reload schema'`)
    await expect.poll(async () => (await sendRequest('/late')).statusCode).toBe(401)
    await ours.testDatabase.owner.query('grant select on late to anon')
    const rows = async () => (await sendRequest('/late')).json<unknown>()
    await expect.poll(rows, { timeout: 10_000 }).toEqual([{ id: 1 }])
    await ours.testDatabase.owner.query('revoke select on late from anon')
    expect(await rows()).toMatchObject({ code: '42501' })
  })
})
