import { once } from 'node:events'
import { Agent, createServer, request as send, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export type LoadBalancer = {
  readonly url: string
  /** Whether the balancer currently forwards visitors to the process. */
  sends(url: string): boolean
  close(): Promise<void>
}

type Target = { readonly url: string; isReady: boolean }

/**
 * Starts a reverse proxy in front of several processes of the shop. The proxy polls `/readyz` of each process, and
 * forwards each request once, in turn to the processes that are ready. The proxy reports the client's IP address: that
 * in the header X-Forwarded-For of the request, otherwise that of the connection.
 */
export async function startLoadBalancer(
  port: number,
  urls: readonly string[],
): Promise<LoadBalancer> {
  const targets: Target[] = urls.map((url) => ({ url, isReady: false }))
  const agent = new Agent({ keepAlive: true })
  const closing = new AbortController()
  const probe = (target: Target) =>
    fetch(`${target.url}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
      (upstream) => {
        target.isReady = upstream.ok
        return upstream.body?.cancel()
      },
      () => {
        target.isReady = false
      },
    )
  await Promise.all(targets.map(probe))
  // Polls a process again only after its previous response, so that a late response does not overwrite a newer one.
  const watch = async (target: Target) => {
    while (!closing.signal.aborted) {
      await delay(100)
      await probe(target)
    }
  }
  for (const target of targets) void watch(target)
  let turn = 0
  /**
   * Returns the next ready process. If no process is ready, waits for a few seconds, as proxies do (Caddy's
   * lb_try_duration).
   */
  const choose = async () => {
    const deadline = performance.now() + 5_000
    for (;;) {
      const ready = targets.filter(({ isReady }) => isReady)
      if (ready.length > 0) return ready[(turn += 1) % ready.length]
      if (performance.now() > deadline) return undefined
      await delay(50)
    }
  }
  const server = createServer((request, response) => {
    const fail = (code: string) =>
      response.headersSent
        ? response.destroy()
        : response.writeHead(502).end(JSON.stringify({ code: `balancer: ${code}` }))
    const forward = (target: Target | undefined) => {
      if (!target) return void fail('no process is ready')
      const onward = send(target.url + (request.url ?? '/'), {
        agent,
        method: request.method,
        headers: { ...request.headers, 'x-forwarded-for': addressOf(request) },
      })
      onward.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message))
      onward.on('response', (upstream) => {
        response.writeHead(upstream.statusCode ?? 502, {
          ...upstream.headers,
          'x-target': target.url,
        })
        upstream.pipe(response)
      })
      request.pipe(onward)
    }
    void choose().then(forward)
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
