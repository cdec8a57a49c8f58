import { describe, expect, it } from 'vitest'
import type { OutgoingEmail } from './mail-transport.ts'
import { createResendTransport } from './resend-transport.ts'

const email: OutgoingEmail = {
  id: '0b5c0000-0000-4000-8000-000000000001',
  kind: 'payment_receipt',
  from: { name: 'Torque & Timing', address: 'shop@example.org' },
  recipientEmail: 'dana@example.com',
  recipientName: 'Dana <evil@example.net>',
  subject: 'Receipt',
  html: '<p>Thank you</p>',
  text: 'Thank you',
  attachments: [{ filename: 'a.pdf', contentType: 'application/pdf', contentBase64: 'eA==' }],
  createdAt: '2026-11-21T18:00:00.000Z',
  messageId: '<id.0@example.org>',
}

function respondingWith(status: number, body: unknown) {
  const requests: Request[] = []
  const send: typeof fetch = async (input, init) => {
    requests.push(new Request(input, init))
    return Response.json(body, { status })
  }
  return { requests, transport: createResendTransport('re_key', send) }
}

describe('the Resend transport', () => {
  it('sends the email with an idempotency key', async () => {
    const { requests, transport } = respondingWith(200, { id: 'resend-id' })
    expect(await transport.send(email)).toEqual({ providerMessageId: 'resend-id' })
    const [request] = requests
    expect(request?.headers.get('authorization')).toBe('Bearer re_key')
    expect(request?.headers.get('idempotency-key')).toBe('<id.0@example.org>')
    expect(await request?.json()).toMatchObject({
      from: 'Torque & Timing <shop@example.org>',
      to: ['dana@example.com'],
      attachments: [{ filename: 'a.pdf', content: 'eA==', content_type: 'application/pdf' }],
    })
  })

  it.each([
    [422, true],
    [400, true],
    [401, false],
    [429, false],
    [500, false],
  ])('treats status %d as a permanent failure: %s', async (status, isPermanent) => {
    const { transport } = respondingWith(status, { message: 'No' })
    await expect(transport.send(email)).rejects.toMatchObject({
      isPermanent,
      message: `Resend: ${status} No`,
    })
  })

  it('reports an unreachable server as a temporary failure', async () => {
    const send = () => Promise.reject(new TypeError('fetch failed'))
    const transport = createResendTransport('re_key', send)
    await expect(transport.send(email)).rejects.toMatchObject({ isPermanent: false })
  })

  it.each([
    ['Smith, Sons & Co.', '"Smith, Sons & Co."'],
    ['Evil <ceo@example.net>', '"Evil <ceo@example.net>"'],
    [String.raw`The "Garage" \o/`, String.raw`"The \"Garage\" \\o/"`],
    ['Łukasz', '"Łukasz"'],
  ])(
    'quotes the sender name %s so that no part of the name is parsed as an email address',
    async (name, written) => {
      const { requests, transport } = respondingWith(200, {})
      await transport.send({ ...email, from: { name, address: 'shop@example.org' } })
      expect(await requests[0]?.json()).toMatchObject({ from: `${written} <shop@example.org>` })
    },
  )
})
