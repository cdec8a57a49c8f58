import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  type ConnectionOptions,
  createConnectionLimits,
  type Handler,
} from './limits/connection-limits.ts'
import { StartupError } from '@local/postgres'

/**
 * The timeouts that close slow connections. Common load balancers reuse an idle connection for up to a minute. The
 * keep-alive timeout is a little longer, so that the server never closes a connection on which the balancer is sending
 * a request.
 */
const limits = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
  // Disables Node's own check of the Host header: Node would respond to a request without this header before the
  // connection limits count the request.
  requireHostHeader: false,
}

const endUnreadEveryMs = 1_000

/** A listening HTTP server. The listener opens before the app is ready and responds with 503 until then. */
export type HttpListener = {
  readonly port: number
  /**
   * Makes `handler` respond to all further requests. Before this call, the listener responds to every request with 503.
   */
  admit(handler: Handler): void
  /** Accepts no new connections and lets running requests finish; ends those that are still running after `limitMs`. */
  close(limitMs: number): Promise<void>
}

/** Listens on the port immediately, so that startup fails on a port in use before anything else starts. */
export async function openHttpListener(
  host: string,
  port: number,
  connections: ConnectionOptions,
): Promise<HttpListener> {
  let handle: Handler = respondStarting
  let isClosing = false
  const connectionLimits = createConnectionLimits(connections)
  const receive: Handler = (request, response) => {
    if (isClosing) response.setHeader('connection', 'close')
    connectionLimits.admit({
      request,
      response,
      handle: hasHost(request) ? handle : refuseWithoutHost,
    })
  }
  const server = createServer(limits, receive)
  server.on('connection', (socket) => connectionLimits.accept(socket))
  // Handles a request with an unknown Expect header like any other: Node itself would respond with 417 before the
  // connection limits count the request.
  server.on('checkExpectation', receive)
  const unread = setInterval(() => connectionLimits.endUnread(), endUnreadEveryMs).unref()
  await new Promise<void>((listening, failed) => {
    server.once('error', (error) => failed(explain(error, host, port)))
    server.listen(port, host, listening)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    admit(handler) {
      handle = handler
    },
    async close(limitMs) {
      isClosing = true
      const closed = new Promise((resolve) => server.close(resolve))
      // Closes connections that become idle after their last response.
      const sweep = setInterval(() => server.closeIdleConnections(), 50)
      const limit = setTimeout(() => server.closeAllConnections(), limitMs)
      await closed
      clearInterval(unread)
      clearInterval(sweep)
      clearTimeout(limit)
    },
  }
}

/** Whether the request has the Host header that RFC 9112, section 3.2, requires of an HTTP/1.1 request. */
function hasHost({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion !== '1.1' || headers.host !== undefined
}

function refuseWithoutHost(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(400, { connection: 'close' }).end()
}

function respondStarting(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, {
    'content-type': 'text/plain; charset=utf-8',
    'retry-after': '2',
    'cache-control': 'no-store',
  })
  response.end('The site is starting. Please try again in a moment.\n')
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} is already in use, perhaps by another copy of the site. Stop that program, or choose another PORT.`,
    EACCES: `Port ${port} may not be opened by this user. Choose a PORT above 1023.`,
    EADDRNOTAVAIL: `This machine has no address ${host}. Check HOST.`,
    ENOTFOUND: `The name ${host} is unknown. Check HOST.`,
  }
  const reason = reasons[error.code ?? '']
  return reason ? new StartupError(reason) : error
}
