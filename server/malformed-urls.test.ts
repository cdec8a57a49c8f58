import { once } from 'node:events'
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpListener, openHttpListener } from '#server/platform/http/http-listener.ts'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'

let shop: TestApp
let listener: HttpListener
const lines: string[] = []
beforeAll(async () => {
  shop = await createTestApp({
    config: { rateLimits: 'off', logLevel: 'error' },
    logStream: { write: (line) => void lines.push(line) },
  })
  listener = await openHttpListener('127.0.0.1', 0, { clientOf: () => undefined })
  listener.admit((request, response) => shop.app.routing(request, response))
})
afterAll(async () => {
  await listener.close(100)
  await shop.close()
})

/**
 * Sends a request without changing its URL. Returns the status and the whole response; the status is 0 when the server
 * closed the connection without a response.
 */
async function send(target: string, method = 'GET'): Promise<[number, string]> {
  const socket = connect(listener.port, '127.0.0.1')
  let response = ''
  socket.on('data', (chunk: Buffer) => (response += chunk.toString('latin1')))
  socket.on('error', () => undefined)
  const closed = once(socket, 'close')
  const request = `${method} ${target} HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n`
  socket.end(Buffer.from(request, 'latin1'))
  await closed
  return [Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1] ?? 0), response]
}

const prefixes = '/ /assets/ /api/ /rest/v1/ /rest/v1/rpc/ /auth/v1/ /functions/v1/'.split(' ')
const printable =
  String.raw`\[ \ [ ] //[ /\[ % %E0%A4%A %00 %5c%5b ..%2f..%2f ../../etc/passwd %2e%2e/
  //evil.example /// : @ * ? # ?? ?% ?a[ ; ü ÿ %ff %C0%AF http://[ //a:b@c:99999`.split(/\s+/)
const odd = [...printable, '\0', '\x7f', '\t', ' ']
const whole =
  String.raw`* http://shop.example/ http://[ http:// https://evil.example/book-appointment/
  //evil.example/book-appointment/ /// \\evil.example /\[ book-appointment /book-appointment//?x#y
  /%62ook-appointment/`.split(/\s+/)
const long = [`a`.repeat(15_000), '%41'.repeat(5_000), '../'.repeat(4_000), 'a'.repeat(20_000)]

describe('a request with a malformed URL', () => {
  const expectRefused = async (target: string, method?: string) => {
    const [status, response] = await send(target, method)
    expect([
      target.slice(0, 60),
      status >= 500,
      /\bat .*\.[tj]s:|node_modules/.test(response),
    ]).toEqual([target.slice(0, 60), false, false])
    return [status, response] as const
  }

  it('receives no 5xx response and no stack trace', async () => {
    for (const target of ['', ...whole]) await expectRefused(target)
    for (const path of long) await expectRefused(`/${path}`)
    for (const prefix of prefixes) for (const text of odd) await expectRefused(prefix + text)
    for (const method of ['POST', 'OPTIONS', 'HEAD', 'TRACE', 'CONNECT', 'PROPFIND']) {
      for (const target of ['*', '/\\[', '/', '//[']) await expectRefused(target, method)
    }
    expect(lines).toEqual([])
  })

  it('receives no 5xx response, whatever bytes it contains', { timeout: 60_000 }, async () => {
    const part = fc.oneof(
      fc.constantFrom(...odd, '/', '.', 'a', 'services'),
      fc.string({ maxLength: 8 }),
    )
    const address = fc
      .tuple(fc.constantFrom(...prefixes, ''), fc.array(part, { maxLength: 6 }))
      .map(([prefix, parts]) => prefix + parts.join('').replaceAll(/[\r\n]/g, ''))
    await fc.assert(
      fc.asyncProperty(address, async (target) => void (await expectRefused(target))),
      { numRuns: 500 },
    )
    expect(lines).toEqual([])
  })

  it('receives no redirect to another site', async () => {
    for (const target of [
      '//evil.example/book-appointment/',
      '/\\evil.example/book-appointment/',
    ]) {
      const [, response] = await send(target)
      expect(response).not.toMatch(/^location:/im)
    }
    const [status, response] = await send('/book-appointment//?from=mail')
    expect([status, /^location: (.*)\r$/im.exec(response)?.[1]]).toEqual([
      308,
      '/book-appointment?from=mail',
    ])
  })
})
