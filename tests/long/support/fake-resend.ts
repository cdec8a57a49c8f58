import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** A message in the format of Resend (https://resend.com/docs/api-reference/emails/send-email). */
type ResendMessage = {
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
  readonly attachments: readonly { readonly filename: string; readonly content: string }[]
}

type Attempt = { readonly apiKey: string; readonly key: string; readonly message: ResendMessage }

/** How the stand-in for Resend responds to the next messages. */
type Mood = 'takes' | 'is-overloaded' | 'hangs-up'

export type FakeResend = {
  /** The 'host:port' of the stand-in for Resend. */
  readonly address: string
  readonly url: string
  /** The messages that the stand-in accepted. */
  readonly accepted: Attempt[]
  /** The messages that the stand-in refused. */
  readonly refused: Attempt[]
  /** The number of messages that arrived, whether accepted or refused. */
  attempts(): number
  setMood(mood: Mood): void
  stop(): Promise<void>
}

/** Starts a stand-in for Resend's endpoint on loopback, which records messages and can simulate failures. */
export async function startFakeResend(): Promise<FakeResend> {
  const [accepted, refused]: [Attempt[], Attempt[]] = [[], []]
  let mood: Mood = 'takes'
  let attempts = 0
  const accept = async (request: IncomingMessage, response: ServerResponse) => {
    const { authorization = '', 'idempotency-key': key } = request.headers
    const attempt = {
      apiKey: authorization.replace('Bearer ', ''),
      key: String(key),
      message: (await json(request)) as ResendMessage,
    }
    attempts += 1
    const isCorrect = request.method === 'POST' && request.url === '/emails'
    const status = isCorrect ? (mood === 'takes' ? 200 : 503) : 404
    if (status === 200) accepted.push(attempt)
    else refused.push(attempt)
    if (mood === 'hangs-up') request.socket.destroy()
    else response.writeHead(status, { 'content-type': 'application/json' }).end('{"id":"stand-in"}')
  }
  const server = createServer((request, response) => void accept(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    address,
    url: `http://${address}`,
    accepted,
    refused,
    attempts: () => attempts,
    setMood(next) {
      mood = next
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
