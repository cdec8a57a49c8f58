import { once } from 'node:events'
import { Agent, createServer, request as send, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export type Balancer = {
  readonly url: string
  /** Whether that process gets visitors now. */
  sends(url: string): boolean
  close(): Promise<void>
}

type Target = { readonly url: string; isReady: boolean }

/**
 * A reverse proxy in front of several processes of the shop: asks each for `/readyz` all the time and
 * hands requests in turn to those that want them, each once. The X-Forwarded-For of a request stands for
 * the connection it would have come from.
 */
export async function startBalancer(port: number, urls: readonly string[]): Promise<Balancer> {
  const targets: Target[] = urls.map((url) => ({ url, isReady: false }))
  const agent = new Agent({ keepAlive: true })
  const closing = new AbortController()
  const look = (target: Target) =>
    fetch(`${target.url}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
      (answer) => (target.isReady = answer.ok),
      () => (target.isReady = false),
    )
  await Promise.all(targets.map(look))
  // One question after the other: a late answer must not overrule a newer one.
  const watch = async (target: Target) => {
    while (!closing.signal.aborted) {
      await delay(100)
      await look(target)
    }
  }
  for (const target of targets) void watch(target)
  let turn = 0
  const server = createServer((request, response) => {
    const ready = targets.filter(({ isReady }) => isReady)
    const target = ready[(turn += 1) % ready.length]
    const fail = () => (response.headersSent ? response.destroy() : response.writeHead(502).end())
    if (!target) return fail()
    const onward = send(target.url + (request.url ?? '/'), {
      agent,
      method: request.method,
      headers: { ...request.headers, 'x-forwarded-for': addressOf(request) },
    })
    onward.on('error', fail)
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, 'x-target': target.url })
      answer.pipe(response)
    })
    request.pipe(onward)
    return undefined
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    sends: (url) => targets.some((target) => target.url === url && target.isReady),
    async close() {
      closing.abort()
      agent.destroy()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

function addressOf({ headers, socket }: IncomingMessage): string {
  const given = headers['x-forwarded-for']
  return typeof given === 'string' ? given : (socket.remoteAddress ?? '')
}
