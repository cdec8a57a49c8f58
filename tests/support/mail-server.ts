import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { simpleParser, type ParsedMail } from 'mailparser'
import { SMTPServer } from 'smtp-server'

type ReceivedMail = {
  /** The recipients in the envelope, to whom the server delivers the message. */
  readonly recipients: string[]
  readonly raw: string
  readonly mail: ParsedMail
}

/** How the mail server responds to the next messages; 'is-silent' sends no response. */
type Mood = 'takes' | 'refuses-recipient' | 'is-busy' | 'is-silent'

export type TestMailServer = {
  readonly url: string
  readonly received: ReceivedMail[]
  /** The number of connections in which a client named a recipient. */
  attempts(): number
  setMood(mood: Mood): void
  /** Makes the server refuse connections until the next call of `start`. */
  stop(): Promise<void>
  start(): Promise<void>
}

/** Starts a real SMTP server on loopback that records messages and can simulate failures. */
export async function startMailServer(): Promise<TestMailServer> {
  const received: ReceivedMail[] = []
  let mood: Mood = 'takes'
  let attempts = 0
  let port = 0
  let server: SMTPServer | undefined

  const store = async (stream: Readable, recipients: string[]) => {
    const raw = await buffer(stream).catch(() => undefined)
    // Reading fails if the sender disconnects before the end of the message. The server does not record such an
    // incomplete message.
    if (!raw) return
    received.push({ recipients, raw: raw.toString('utf8'), mail: await simpleParser(raw) })
  }
  const create = () =>
    new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      closeTimeout: 100,
      onRcptTo(_address, _session, callback) {
        attempts += 1
        if (mood === 'is-silent') return
        if (mood === 'refuses-recipient') return callback(smtpError(550, 'No such user here'))
        if (mood === 'is-busy') return callback(smtpError(451, 'Try again later'))
        callback()
      },
      onData(stream, session, callback) {
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        void store(stream, recipients).finally(callback)
      },
    })

  const start = async () => {
    server = create()
    // Ignores connections that break when the test stops the server.
    server.on('error', () => undefined)
    const listening = server.listen(port, '127.0.0.1')
    await once(listening, 'listening')
    port = (listening.address() as AddressInfo).port
  }
  const stop = () =>
    new Promise<void>((resolve) => {
      if (server) server.close(() => resolve())
      else resolve()
    })

  await start()
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    attempts: () => attempts,
    setMood(next) {
      mood = next
    },
    start,
    stop,
  }
}

function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}
