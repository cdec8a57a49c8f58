import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { afterAll, expect, it } from 'vitest'
import type { CustomerPage, RenderCustomerPage } from '#contracts/api/customer-pages.ts'
import type { FrameParts } from '#contracts/api/site-renderer.ts'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { createCustomerPages } from './customer-pages.ts'

const frame = (color: string): FrameParts => [
  '<!doctype html><title>',
  ` | Shop</title><style>p{color:${color}}</style><body>`,
  '</body>',
]
const rendered: string[] = []
const render: RenderCustomerPage = ({ name }, page) => {
  rendered.push(page.name)
  return {
    frame: page.name === 'decline' ? 'estimate' : 'visit',
    title: '<You> came. You left.',
    main: `<p>${name}</p>`,
  }
}
const frames = { visit: frame('red'), estimate: frame('blue'), join: frame('green') }
const send = createCustomerPages({ render, frames, shop: { ...defaultShop, name: 'Early' } })
const app = Fastify()
const answer = (path: string, page: CustomerPage) =>
  app.get(path, (_request, reply) => send(reply, { ...defaultShop, name: 'Now' }, page))
answer('/find', { name: 'find_booking' })
answer('/invalid', { name: 'invalid_link' })
afterAll(() => app.close())

const whole = (name: string) =>
  `<!doctype html><title>&lt;You&gt; came | Shop</title><style>p{color:red}</style><body><p>${name}</p></body>`

it.each([
  ['br', 'gzip, br', (body: Buffer) => brotliDecompressSync(body)],
  ['gzip', 'gzip', (body: Buffer) => gunzipSync(body)],
  [undefined, '', (body: Buffer) => body],
])('a customer page is sent as %s with Accept-Encoding: %j', async (encoding, accepts, read) => {
  const response = await app.inject({ url: '/find', headers: { 'accept-encoding': accepts } })
  expect(response.headers['content-encoding']).toBe(encoding)
  expect(response.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    vary: 'Accept-Encoding',
  })
  expect(read(response.rawPayload).toString()).toBe(whole('Now'))
})

it('a message page is rendered before the first request arrives', async () => {
  rendered.length = 0
  for (let nth = 0; nth < 3; nth += 1) {
    expect((await app.inject('/invalid')).body).toBe(whole('Early'))
  }
  expect(rendered).toEqual([])
})
