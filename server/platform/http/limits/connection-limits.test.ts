import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createConnectionLimits } from './connection-limits.ts'
import { type HttpListener, openHttpListener } from '../http-listener.ts'

const request = 'GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n'
const open: Socket[] = []
const listeners: HttpListener[] = []

afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy()
  await Promise.all(listeners.splice(0).map((listener) => listener.close(100)))
})

async function openListener({ isProxy = false } = {}): Promise<HttpListener> {
  const options = { clientOf: (address: string) => (isProxy ? undefined : address) }
  const listener = await openHttpListener('127.0.0.1', 0, options)
  listeners.push(listener)
  return listener
}

/** Opens a connection that collects the received data. */
async function call(port: number) {
  const socket = connect(port, '127.0.0.1')
  open.push(socket)
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await once(socket, 'connect')
  /** Resolves when the text was received, or when the connection has ended before the text was received. */
  const receives = async (text: string) => {
    while (!received.includes(text) && !socket.closed) {
      await Promise.race([new Promise((resolve) => socket.once('data', resolve)), closed])
    }
    return received.includes(text)
  }
  return { socket, closed, receives, received: () => received }
}

/** Returns whether the site accepts a new connection and responds on this connection. */
async function isServed(port: number): Promise<boolean> {
  const { socket, receives } = await call(port)
  socket.write(request)
  return receives('HTTP/1.1 200')
}

describe('pipelined requests', () => {
  it('are handled one after the other, in their order', async () => {
    const listener = await openListener()
    const responses: ServerResponse[] = []
    const arrivals = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    listener.admit((_request, response) => {
      arrivals[responses.push(response) - 1]?.resolve()
    })
    const { socket, receives, received } = await call(listener.port)
    socket.write(request + request)
    await arrivals[0]?.promise
    expect(responses).toHaveLength(1)
    responses[0]?.end('first')
    await arrivals[1]?.promise
    responses[1]?.end('second')
    await receives('second')
    expect(received()).toMatch(/first[\s\S]*second/)
  })

  it('end the connection when more than sixteen of them have no response yet', async () => {
    const listener = await openListener()
    let handled = 0
    listener.admit(() => (handled += 1))
    const within = await call(listener.port)
    within.socket.write(request.repeat(16))
    const beyond = await call(listener.port)
    beyond.socket.write(request.repeat(17))
    await beyond.closed
    expect([handled, within.socket.destroyed]).toEqual([2, false])
  })

  it.each([
    ['without a host', 'GET / HTTP/1.1\r\n\r\n', '400'],
    [
      'with an unknown expectation',
      request.replace('GET /', 'GET /odd').replace('\r\n\r\n', '\r\nExpect: all\r\n\r\n'),
      '202',
    ],
  ])('are also counted when they are sent %s', async (_kind, odd, status) => {
    const listener = await openListener()
    const release = Promise.withResolvers<void>()
    listener.admit(({ url }, response) => {
      void release.promise.then(() => response.writeHead(url === '/odd' ? 202 : 200).end())
    })
    const beyond = await call(listener.port)
    beyond.socket.write(request + odd.repeat(16))
    await beyond.closed
    const within = await call(listener.port)
    within.socket.write(request + odd)
    release.resolve()
    expect(await within.receives(`HTTP/1.1 ${status}`)).toBe(true)
  })
})

describe('the connections of one IP address', () => {
  const fill = (port: number, count: number) =>
    Promise.all(Array.from({ length: count }, () => call(port)))

  it('are limited to 64 at the same time', async () => {
    const listener = await openListener()
    listener.admit((_request, response) => void response.end('served'))
    const [first] = await fill(listener.port, 64)
    expect(await isServed(listener.port)).toBe(false)
    first?.socket.destroy()
    await first?.closed
    await expect.poll(() => isServed(listener.port)).toBe(true)
  })

  it('are not limited when they come from a reverse proxy', async () => {
    const listener = await openListener({ isProxy: true })
    listener.admit((_request, response) => void response.end('served'))
    await fill(listener.port, 64)
    expect(await isServed(listener.port)).toBe(true)
  })

  it('include, for a while, a connection that the site closed because of too many requests', async () => {
    const listener = await openListener()
    await fill(listener.port, 63)
    const last = await call(listener.port)
    last.socket.write(request.repeat(200))
    await last.closed
    expect(await isServed(listener.port)).toBe(false)
  })
})

describe('a response that the client does not read', () => {
  it('ends the connection when more than a megabyte is unread for ten seconds', async () => {
    const clock = { ms: 0 }
    const now = () => clock.ms
    const connectionLimits = createConnectionLimits({ clientOf: () => undefined, now })
    const written = Promise.withResolvers<void>()
    // The response is larger than the operating system's buffers for one connection, so the server cannot send it
    // completely before the client reads.
    const site = createServer((incoming, response) =>
      connectionLimits.admit({
        request: incoming,
        response,
        handle: () => {
          response.end(Buffer.alloc(2 ** 26))
          written.resolve()
        },
      }),
    )
    site.on('connection', (socket) => connectionLimits.accept(socket)).listen(0, '127.0.0.1')
    await once(site, 'listening')
    const { socket, closed } = await call((site.address() as AddressInfo).port)
    socket.pause().write(request)
    await written.promise
    connectionLimits.endUnread()
    clock.ms = 9_999
    connectionLimits.endUnread()
    expect(await isOpen(site)).toBe(true)
    clock.ms = 10_000
    connectionLimits.endUnread()
    socket.resume()
    await closed
    expect(await isOpen(site)).toBe(false)
    site.close()
  })

  async function isOpen(site: ReturnType<typeof createServer>): Promise<boolean> {
    const connections = await new Promise((resolve) =>
      site.getConnections((_error, count) => resolve(count)),
    )
    return connections === 1
  }
})
