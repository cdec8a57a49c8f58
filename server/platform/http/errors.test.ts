import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'

describe('a malformed request', () => {
  let shop: TestApp
  beforeAll(async () => {
    shop = await createTestApp()
  })
  afterAll(() => shop.close())

  const send = (payload: string, type = 'application/json') =>
    shop.inject({
      method: 'POST',
      url: '/api/admin/login',
      headers: { 'content-type': type },
      payload,
    })

  it('receives the standard error response, which does not repeat the request', async () => {
    const broken = await send('{"password": "secret"')
    expect([broken.statusCode, broken.json()]).toEqual([
      400,
      { ok: false, code: 'BAD_REQUEST', message: 'The request is not valid JSON.' },
    ])
    const empty = await send('')
    expect(empty.json()).toMatchObject({ ok: false, code: 'BAD_REQUEST' })
    const poison = await send('{"__proto__": {"admin": true}}')
    expect(poison.json()).toMatchObject({ ok: false, code: 'BAD_REQUEST' })
  })

  it('is refused when it is too large or not JSON', async () => {
    const large = await send(JSON.stringify({ username: 'x'.repeat(300_000) }))
    expect([large.statusCode, large.json<{ code: string }>().code]).toEqual([413, 'BODY_TOO_LARGE'])
    const form = await send('a=b', 'application/x-www-form-urlencoded')
    expect([form.statusCode, form.json<{ code: string }>().code]).toEqual([
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ])
  })

  it('causes a client error when it contains a zero byte in any place that PostgreSQL reads', async () => {
    const statusOf = async (url: string, body?: object) => {
      const method = body ? 'POST' : 'GET'
      const headers = { apikey: shop.config.anonKey }
      const response = await shop.inject({ method, url, headers, ...(body && { payload: body }) })
      return response.statusCode
    }
    const [text, password] = ['a\0b', 'secret secret']
    expect(await statusOf('/api/admin/login', { username: text, password })).toBe(400)
    const email = `${text}@staff.example`
    expect(await statusOf('/auth/v1/token?grant_type=password', { email, password })).toBe(400)
    const details = { vehicle: '', serviceType: 'other', description: text, phone: '' }
    const payload = { type: 'quote', customerName: '', customerEmail: email, details }
    expect(await statusOf('/functions/v1/send-confirmation-email', payload)).toBe(400)
    expect(await statusOf('/sandbox/checkout/%00')).toBe(400)
    expect(await statusOf('/sandbox/invoice/%00')).toBe(400)
  })

  it('is refused when its URL is malformed', async () => {
    const response = await shop.inject('/%E0%A4%A')
    expect([response.statusCode, response.json()]).toEqual([
      400,
      { ok: false, code: 'BAD_REQUEST', message: 'The request could not be read.' },
    ])
  })
})
