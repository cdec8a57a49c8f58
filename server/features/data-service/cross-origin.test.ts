import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'

const own = 'https://shop.example'

describe('the CORS headers of the REST, auth and function endpoints', () => {
  let shop: TestApp

  beforeAll(async () => {
    shop = await createTestApp({ config: { publicUrl: own } })
  })
  afterAll(() => shop?.close())

  const preflight = (url: string, origin = 'https://elsewhere.example') =>
    shop.inject({
      method: 'OPTIONS',
      url,
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'apikey, x-made-up',
      },
    })

  it.each([
    '/rest/v1/bookings',
    '/rest/v1/rpc/is_time_slot_available',
    '/functions/v1/send-confirmation-email',
    '/auth/v1/token',
  ])('do not allow pages of another site to call %s', async (url) => {
    const { headers } = await preflight(url)
    expect(headers['access-control-allow-origin']).toBeOneOf([own, undefined])
    expect(headers['access-control-allow-headers'] ?? '').not.toContain('x-made-up')
  })

  it('do not allow pages of another site to read a response', async () => {
    const headers = { origin: 'https://elsewhere.example', apikey: shop.config.anonKey }
    const response = await shop.inject({ url: '/rest/v1/services', headers })
    expect(response.headers['access-control-allow-origin']).toBe(own)
  })

  it('allow the site’s own pages to send the headers of supabase-js and of the forms', async () => {
    for (const url of ['/rest/v1/bookings', '/functions/v1/send-confirmation-email']) {
      const { statusCode, headers } = await preflight(url, own)
      expect([statusCode, headers['access-control-allow-origin']]).toEqual([204, own])
      const allowed = String(headers['access-control-allow-headers']).split(', ')
      expect(allowed).toEqual(
        expect.arrayContaining(['apikey', 'authorization', 'content-type', 'prefer']),
      )
      expect(allowed).toEqual(expect.arrayContaining(['x-client-info', 'x-form-token']))
    }
    const response = await shop.inject({
      url: '/rest/v1/services',
      headers: { apikey: shop.config.anonKey },
    })
    expect(response.headers['access-control-expose-headers']).toContain('Content-Range')
  })

  it.each(['/rest/v1/services', '/rest/v1/bookings', '/rest/v1/nope', '/rest/v1/a/b/c'])(
    'are sent with a Cache-Control header that forbids caches to store the response of %s',
    async (url) => {
      const response = await shop.inject({ url, headers: { apikey: shop.config.anonKey } })
      expect(response.headers['cache-control']).toBe('no-store')
    },
  )
})
