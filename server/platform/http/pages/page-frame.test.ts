import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { afterAll, expect, it } from 'vitest'
import { html } from './html.ts'
import { createPageFrame, sendInFrame } from './page-frame.ts'

const frame = createPageFrame([
  '<!doctype html><title>',
  ' | Shop</title><style>p{color:red}</style><body>',
  '</body>',
])
const app = Fastify()
const written = { title: '<You> came. You left.', main: html`<p>${'<you>'}</p>` }
app.get('/visit', (_request, reply) => sendInFrame(reply, frame, written))
afterAll(() => app.close())

const whole =
  '<!doctype html><title>&lt;You&gt; came | Shop</title><style>p{color:red}</style><body><p>&lt;you&gt;</p></body>'

it.each([
  ['br', 'gzip, br', (body: Buffer) => brotliDecompressSync(body)],
  ['gzip', 'gzip', (body: Buffer) => gunzipSync(body)],
  [undefined, '', (body: Buffer) => body],
])(
  'a page that the server renders is sent as %s with Accept-Encoding: %j',
  async (encoding, accepts, read) => {
    const response = await app.inject({ url: '/visit', headers: { 'accept-encoding': accepts } })
    expect(response.headers['content-encoding']).toBe(encoding)
    expect(response.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      vary: 'Accept-Encoding',
    })
    expect(read(response.rawPayload).toString()).toBe(whole)
  },
)
