import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '#contracts/api/endpoints.ts'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'

let shop: TestApp
beforeAll(async () => {
  shop = await createTestApp()
})
afterAll(() => shop.close())

describe('each endpoint in the contracts', () => {
  it.each(endpoints)('has a route: $method $path', ({ method, path }) => {
    expect(shop.app.hasRoute({ method, url: path })).toBe(true)
  })

  it.each(endpoints.filter(({ caller }) => caller === 'admin'))(
    'returns 401 to a visitor if the endpoint is for admins: $method $path',
    async ({ method, path }) => {
      const response = await shop.inject({ method, url: path })
      expect([response.statusCode, response.json()]).toEqual([
        401,
        { ok: false, code: 'UNAUTHENTICATED', message: 'Please sign in.' },
      ])
    },
  )
})
