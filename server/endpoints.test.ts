import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '#contracts/api/endpoints.ts'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'

let shop: TestApp
beforeAll(async () => {
  shop = await createTestApp()
})
afterAll(() => shop.close())

describe('the endpoints in the contracts', () => {
  it.each(endpoints)('are served: $method $path', ({ method, path }) => {
    expect(shop.app.hasRoute({ method, url: path })).toBe(true)
  })

  it.each(endpoints.filter(({ caller }) => caller === 'admin'))(
    'tell a stranger nothing where they are the admin’s: $method $path',
    async ({ method, path }) => {
      const response = await shop.inject({ method, url: path })
      expect([response.statusCode, response.json()]).toEqual([
        401,
        { ok: false, code: 'UNAUTHENTICATED', message: 'Please sign in.' },
      ])
    },
  )
})
