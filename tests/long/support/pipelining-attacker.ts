// A client that sends many requests on each connection without waiting for responses, until the client's process ends.
// The environment variable ATTACK contains an `Attack` as JSON.
import { connect, type Socket } from 'node:net'

export type Attack = {
  readonly port: number
  readonly path: string
  /** The loopback address from which the attacker connects. */
  readonly address: string
  readonly connections: number
  readonly way:
    /** 0.6 MB of requests on each connection; the attacker reads no response. */
    | 'never reads'
    /** 1.5 MB of requests per second on all connections together; the attacker reads every response. */
    | 'reads'
    /**
     * The attacker sends as many requests as the site allows on one connection without a response. After all responses
     * have arrived, the attacker sends the next requests.
     */
    | 'waits for answers'
}

const { port, path, address, connections, way } = JSON.parse(
  String(process.env['ATTACK']),
) as Attack
const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
const repeat = (bytes: number) => request.repeat(Math.ceil(bytes / request.length))
const batch = 16

const open = new Set<Socket>()
for (let number = 0; number < connections; number += 1) attack()
if (way === 'reads') {
  const everyMs = 20
  const part = repeat((1.5e6 * everyMs) / 1_000 / connections)
  setInterval(() => open.forEach((socket) => socket.write(part)), everyMs)
}

process.stdout.write('attacking\n')

/** Connects, and reconnects whenever the site closes the connection. */
function attack(): void {
  const socket = connect({ port, host: '127.0.0.1', localAddress: address })
  socket.on('error', () => {})
  socket.on('close', () => {
    open.delete(socket)
    setImmediate(attack)
  })
  socket.on('connect', () => {
    open.add(socket)
    if (way === 'never reads') socket.pause().write(repeat(600_000))
    if (way === 'waits for answers') sendBatches(socket)
  })
  if (way === 'reads') socket.resume()
}

function sendBatches(socket: Socket): void {
  const status = 'HTTP/1.1 '
  let responseCount = 0
  let rest = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    const parts = (rest + text).split(status)
    rest = (parts.at(-1) ?? '').slice(1 - status.length)
    responseCount += parts.length - 1
    if (responseCount < batch) return
    responseCount -= batch
    socket.write(request.repeat(batch))
  })
  socket.write(request.repeat(batch))
}
