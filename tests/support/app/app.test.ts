import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from './app.ts'

describe('a test app', () => {
  let shop: TestApp
  beforeAll(async () => {
    shop = await createTestApp()
  })
  afterAll(() => shop.close())

  it('serves rows over a port to the supabase-js client of the dashboard', async () => {
    const client = await shop.createClient()
    const { data, error } = await client.from('services').select('name').order('name')
    expect(error).toBeNull()
    expect(data).not.toEqual([])
  })

  it('signs in the test admin', async () => {
    const cookie = await shop.logIn()
    const response = await shop.inject({ url: '/api/admin/me', headers: { cookie } })
    expect(response.json()).toMatchObject({ ok: true, user: { username: 'admin' } })
  })
})
