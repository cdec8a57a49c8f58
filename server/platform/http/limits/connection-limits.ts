import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

export type ConnectionOptions = {
  /**
   * Returns the client whose connection limit applies to a connection from this IP address; undefined for a proxy,
   * which many visitors share.
   */
  readonly clientOf: (address: string) => string | undefined
  /** Returns the current time in milliseconds; tests replace this function. */
  readonly now?: () => number
}

/** The limits on connections (docs/product.md 10.8). */
const connectionLimits = {
  /**
   * The maximum number of unanswered requests on a connection. Browsers and proxies wait for each response, but RFC
   * 9112, 9.3.2, allows clients to send further requests without waiting.
   */
  unansweredRequests: 16,
  unsentBytes: 2 ** 20,
  unsentMs: 10_000,
  connectionsOfClient: 64,
  /**
   * If the server ended a connection because the connection exceeded a limit, the connection counts for this many more
   * milliseconds as a connection of its client.
   */
  penaltyMs: 10_000,
}

/**
 * The maximum number of received bytes that Node parses at once: more than the size of a browser's request. Without
 * this limit, Node parses up to 64 kB at once, which can contain 2,400 small requests.
 */
const parsedBytesAtOnce = 4 * 1024

type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly handle: Handler
}

type Connection = {
  readonly socket: Socket
  /**
   * The response that is being sent. Later requests on the connection are not handled until this response is
   * complete.
   */
  current: ServerResponse | undefined
  readonly waiting: Exchange[]
  tooMuchUnsentSince: number | undefined
  isOverLimit: boolean
}

export type ConnectionLimits = {
  /** Counts a new connection, or ends it if its client has reached the limit. */
  accept(socket: Socket): void
  /** Handles a request after the earlier requests on the same connection have received their responses. */
  admit(exchange: Exchange): void
  /** Ends the connections whose client has not read its responses for too long. */
  endUnread(): void
}

/** Limits the resources that one connection, and all connections of one client together, can use. */
export function createConnectionLimits(options: ConnectionOptions): ConnectionLimits {
  const { now = () => performance.now() } = options
  const connections = new Map<Socket, Connection>()
  const clients = countClients(options)

  const endOverLimit = (connection: Connection) => {
    connection.isOverLimit = true
    connection.socket.destroy()
  }
  const handleNext = (connection: Connection) => {
    const next = connection.waiting.shift()
    connection.current = next?.response
    if (!next) return
    next.response.once('close', () => {
      // Lets the server handle requests of other connections before the next request of this connection.
      if (connection.waiting.length > 0) setImmediate(handleNext, connection)
      else connection.current = undefined
    })
    next.handle(next.request, next.response)
  }
  return {
    accept(socket) {
      const release = clients.enter(socket)
      if (!release) return void socket.destroy()
      const connection: Connection = {
        socket,
        current: undefined,
        waiting: [],
        tooMuchUnsentSince: undefined,
        isOverLimit: false,
      }
      connections.set(socket, connection)
      parseInParts(socket)
      return void socket.once('close', () => {
        connections.delete(socket)
        connection.waiting.length = 0
        if (connection.isOverLimit) setTimeout(release, connectionLimits.penaltyMs).unref()
        else release()
      })
    },
    admit(exchange) {
      const { socket } = exchange.request
      const connection = connections.get(socket)
      // The server has already ended the connection of this request, so it does not handle the request.
      if (!connection || socket.destroyed) return
      connection.waiting.push(exchange)
      if (!connection.current) handleNext(connection)
      else if (connection.waiting.length >= connectionLimits.unansweredRequests)
        endOverLimit(connection)
    },
    endUnread() {
      for (const connection of connections.values()) {
        const unsent = connection.current?.writableLength ?? 0
        if (unsent <= connectionLimits.unsentBytes) connection.tooMuchUnsentSince = undefined
        else connection.tooMuchUnsentSince ??= now()
        const since = connection.tooMuchUnsentSince ?? Number.POSITIVE_INFINITY
        if (now() - since >= connectionLimits.unsentMs) endOverLimit(connection)
      }
    },
  }
}

/**
 * Passes received data to Node's parser in small parts, so that a connection that exceeds a limit is ended before
 * its remaining requests are parsed.
 */
function parseInParts(socket: Socket): void {
  const push = socket.push.bind(socket)
  socket.push = (read: Buffer | null) => {
    let wantsMore = push(read && read.subarray(0, parsedBytesAtOnce))
    for (let from = parsedBytesAtOnce; from < (read?.length ?? 0); from += parsedBytesAtOnce) {
      if (socket.destroyed) return false
      wantsMore = push(read?.subarray(from, from + parsedBytesAtOnce))
    }
    return wantsMore
  }
  // Without a `data` listener, Node would pass received data directly to its parser instead of through `socket.push`.
  socket.on('data', () => {})
}

/** Counts the connections of each client. */
function countClients({ clientOf }: ConnectionOptions) {
  const counts = new Map<string, number>()
  const add = (client: string, change: 1 | -1) => {
    const count = (counts.get(client) ?? 0) + change
    if (count === 0) counts.delete(client)
    else counts.set(client, count)
  }
  return {
    /**
     * Reserves a connection for the client. Returns a function that releases the reservation; returns undefined when
     * the client has reached its limit.
     */
    enter({ remoteAddress }: Socket): (() => void) | undefined {
      // Node reports no IP address if the client has already disconnected, so the connection gets no reservation.
      if (remoteAddress === undefined) return undefined
      const client = clientOf(remoteAddress)
      if (client === undefined) return () => {}
      if ((counts.get(client) ?? 0) >= connectionLimits.connectionsOfClient) return undefined
      add(client, 1)
      return () => add(client, -1)
    },
  }
}
