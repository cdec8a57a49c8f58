import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { type TestMailServer, startMailServer } from '#tests/support/mail-server.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  bookingRow,
  insertRow,
  fixtureClock,
  visitor,
} from '#tests/support/database/database-fixtures.ts'
import { createMailer, type Mailer } from './transport/mailer.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'
import { queueEmail } from './outbox/queue-email.ts'
import { createSmtpTransport, type SmtpTimeouts } from './transport/smtp-transport.ts'

let shop: TestDatabase
let server: TestMailServer
beforeAll(async () => {
  shop = await createTestDatabase()
  server = await startMailServer()
  await setShopClock(shop.owner, fixtureClock)
})
afterAll(async () => {
  await server.stop()
  await shop.drop()
})
afterEach(async () => {
  server.setMood('takes')
  server.received.length = 0
  await shop.owner.query('delete from public.emails; delete from internal.owner_notices')
})

const mail = {
  smtpUrl: undefined,
  resendApiKey: undefined,
  from: 'shop@example.org',
  owner: 'owner@example.org',
}
const logged: unknown[] = []

function openMailer(timeouts: SmtpTimeouts = { silenceMs: 8_000, totalMs: 12_000 }): Mailer {
  return createMailer({
    config: { mail, dataDirectory: '/nowhere' },
    database: shop.database,
    currentShop: () => defaultShop,
    log: { error: (line: unknown) => logged.push(line) },
    transport: createSmtpTransport(server.url, timeouts),
  })
}

function createEmail(change: Partial<ShopEmail> = {}): ShopEmail {
  return {
    kind: 'payment_receipt',
    dedupeKey: randomUUID(),
    to: { email: 'dana@example.com', name: 'Dana Whitfield' },
    subject: 'Receipt',
    html: '<p>Thank you</p>',
    text: 'Thank you',
    attachments: [],
    ...change,
  }
}

async function rowOf(id: string) {
  const { rows } = await shop.owner.query(
    `select status, attempts, last_error, sent_at is not null as has_time, leased_until,
       round(extract(epoch from next_attempt_at - now()))::int as wait
     from public.emails where id = $1`,
    [id],
  )
  return rows[0]
}

const queue = (email: ShopEmail) =>
  shop.database.transaction(asServer, (query) => queueEmail(query, email))
const makeDue = () =>
  shop.owner.query('update public.emails set next_attempt_at = now(), leased_until = null')

describe('the outbox', () => {
  it('stores only one of several messages with the same dedupe key', async () => {
    const email = createEmail()
    const ids = await Promise.all([
      queue(email),
      queue(email),
      queue({ ...email, subject: 'Other' }),
    ])
    expect(new Set(ids).size).toBe(1)
  })

  it('stores no message when its transaction fails', async () => {
    const failing = shop.database.transaction(asServer, async (query) => {
      await queueEmail(query, createEmail())
      throw new Error('the cause failed')
    })
    await expect(failing).rejects.toThrow('the cause failed')
    const { rows } = await shop.owner.query('select count(*)::int from public.emails')
    expect(rows).toEqual([{ count: 0 }])
  })
})

describe('a mail server that accepts messages', () => {
  it('receives each message once, even when several processes send at the same time', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => queue(createEmail())))
    const mailers = [openMailer(), openMailer(), openMailer()]
    const signal = new AbortController().signal
    await Promise.all([
      ...mailers.map((mailer) => mailer.deliverDue(signal)),
      ...ids.map((id) => mailers[0]?.deliver(id)),
    ])
    const messageIds = server.received.map(({ mail }) => mail.messageId)
    expect(messageIds).toHaveLength(12)
    expect(new Set(messageIds).size).toBe(12)
    expect(await rowOf(ids[0] ?? '')).toMatchObject({ status: 'sent', attempts: 1, has_time: true })
  })

  it('receives no header that a name, a subject or a file name tried to inject', async () => {
    const mailer = openMailer()
    const status = await mailer.send(
      createEmail({
        to: { email: 'dana@example.com', name: 'Dana\r\nBcc: victim@example.net\r\n' },
        subject: 'Hello\r\nBcc: victim@example.net\r\n\r\n<script>',
        attachments: [
          {
            filename: 'a\r\nX-Evil: 1.pdf',
            contentType: 'application/pdf',
            content: Buffer.from('x'),
          },
        ],
      }),
    )
    expect(status).toBe('sent')
    const { rows } = await shop.owner.query('select recipient_name, subject from public.emails')
    expect(rows).toEqual([
      {
        recipient_name: 'Dana Bcc: victim@example.net',
        subject: 'Hello Bcc: victim@example.net <script>',
      },
    ])
    const [{ recipients, raw, mail } = { recipients: [], raw: '', mail: undefined }] =
      server.received
    expect(recipients).toEqual(['dana@example.com'])
    expect(raw).not.toMatch(/^(bcc|x-evil):/im)
    expect(mail?.to).toMatchObject({ value: [{ address: 'dana@example.com' }] })
  })

  it.each([
    'dana@example.com, victim@example.net',
    'dana@example.com>\r\nRCPT TO:<victim@example.net',
    '"dana@example.com victim"@example.net',
    '@',
  ])('is not contacted for the invalid email address %j', async (email) => {
    const before = server.attempts()
    const id = await queue(createEmail({ to: { email, name: '' } }))
    expect(await openMailer().deliver(id)).toBe('failed')
    expect((await rowOf(id)).last_error).toBe('The recipient is not a single email address.')
    expect(server.attempts()).toBe(before)
    expect(server.received).toEqual([])
  })
})

describe('a mail server that fails', () => {
  it('gets further delivery attempts until one succeeds, and receives the message once', async () => {
    await server.stop()
    const mailer = openMailer()
    const id = await queue(createEmail())
    const waits: number[] = []
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(await mailer.deliver(id)).toBe('retrying')
      const row = await rowOf(id)
      expect(row).toMatchObject({ status: 'retrying', attempts: attempt + 1, has_time: false })
      waits.push(row.wait)
      await makeDue()
    }
    expect(waits).toEqual([60, 300, 900])
    await server.start()
    await mailer.deliverDue(new AbortController().signal)
    await mailer.deliverDue(new AbortController().signal)
    expect(server.received).toHaveLength(1)
    expect(await rowOf(id)).toMatchObject({ status: 'sent', last_error: null, leased_until: null })
  })

  it('gets no further attempt for a message before the next attempt is due', async () => {
    server.setMood('is-busy')
    const mailer = openMailer()
    const id = await queue(createEmail())
    expect(await mailer.deliver(id)).toBe('retrying')
    const before = server.attempts()
    expect(await mailer.deliver(id)).toBe('retrying')
    await mailer.deliverDue(new AbortController().signal)
    expect(server.attempts()).toBe(before)
  })

  it('causes a failed delivery when it sends no reply within the time limit', async () => {
    server.setMood('is-silent')
    const id = await queue(createEmail())
    const mailer = openMailer({ silenceMs: 300, totalMs: 8_000 })
    expect(await mailer.deliver(id)).toBe('retrying')
    expect(await rowOf(id)).toMatchObject({ status: 'retrying', attempts: 1 })
  })

  it('causes a failed delivery when the whole delivery exceeds its time limit', async () => {
    server.setMood('is-silent')
    const id = await queue(createEmail())
    const mailer = openMailer({ silenceMs: 8_000, totalMs: 300 })
    expect(await mailer.deliver(id)).toBe('retrying')
    expect((await rowOf(id)).last_error).toBe('The mail server did not accept the email in time.')
  })

  it('causes no retry when it rejects a recipient permanently; the owner is then asked to call the customer', async () => {
    server.setMood('refuses-recipient')
    const id = await queue(createEmail())
    expect(await openMailer().deliver(id)).toBe('failed')
    expect((await rowOf(id)).last_error).toContain('No such user here')
    const { rows } = await shop.owner.query(
      `select recipient_email, text_body from public.emails where kind = 'owner_notice'`,
    )
    expect(rows).toHaveLength(1)
    expect(rows[0].recipient_email).toBe('owner@example.org')
    expect(rows[0].text_body).toContain('Please call the customer')
  })

  it('gets no further attempt for a message after nine failed attempts', async () => {
    server.setMood('is-busy')
    const mailer = openMailer()
    const id = await queue(createEmail())
    let attempts = 0
    while ((await mailer.deliver(id)) === 'retrying') {
      attempts += 1
      await makeDue()
    }
    expect(attempts).toBe(8)
    expect(await rowOf(id)).toMatchObject({ status: 'failed', attempts: 9 })
  })
})

describe('a process that crashed while it sent a message', () => {
  it('leaves the message in the outbox; the next run of the email job sends it with the same Message-ID', async () => {
    const id = await queue(createEmail())
    const mailer = openMailer()
    await mailer.deliver(id)
    // Simulates a crash of the server after the delivery of an email and before its result was recorded.
    await shop.owner.query(
      `update public.emails set status = 'queued', sent_at = null where id = $1`,
      [id],
    )
    await mailer.deliverDue(new AbortController().signal)
    expect(server.received).toHaveLength(1)
    await makeDue()
    await mailer.deliverDue(new AbortController().signal)
    const [first, second] = server.received
    expect(second?.mail.messageId).toBe(first?.mail.messageId)
  })
})

describe('a message with a delayed first attempt', () => {
  it('is not sent by the email job before the first attempt is due, but can be sent by a direct call', async () => {
    const id = await queue(createEmail())
    await shop.owner.query(`update public.emails set next_attempt_at = now() + interval '1 minute'`)
    const mailer = openMailer()
    await mailer.deliverDue(new AbortController().signal)
    expect(await rowOf(id)).toMatchObject({ status: 'queued', attempts: 0 })
    expect(await mailer.deliver(id)).toBe('sent')
  })

  it('is retried after the usual delay when its first attempt failed', async () => {
    server.setMood('is-busy')
    const id = await queue(createEmail())
    const mailer = openMailer()
    expect(await mailer.deliver(id)).toBe('retrying')
    server.setMood('takes')
    expect(await mailer.deliver(id)).toBe('retrying')
    expect(await rowOf(id)).toMatchObject({ status: 'retrying', attempts: 1, wait: 60 })
  })
})

describe('a quote reply', () => {
  it('is never sent by the email job, and is marked as failed when the direct delivery did not finish within five minutes', async () => {
    const id = await queue(createEmail({ kind: 'quote_reply' }))
    const mailer = openMailer()
    await mailer.deliverDue(new AbortController().signal)
    expect(await rowOf(id)).toMatchObject({ status: 'queued', attempts: 0 })
    await shop.owner.query(`update public.emails set created_at = now() - interval '6 minutes'`)
    await mailer.deliverDue(new AbortController().signal)
    expect(await rowOf(id)).toMatchObject({
      status: 'failed',
      last_error: 'Sending was interrupted. Please send the email again.',
    })
    expect(server.received).toEqual([])
  })
})

describe('the email job', () => {
  it('sends due messages after a call of `wake`, and no messages after it was stopped', async () => {
    const mailer = openMailer()
    const id = await queue(createEmail())
    mailer.wake()
    await vi.waitFor(async () => expect(await rowOf(id)).toMatchObject({ status: 'sent' }))
    await mailer.stop()
    const late = await queue(createEmail())
    mailer.wake()
    await mailer.deliverDue(new AbortController().signal)
    expect(await rowOf(late)).toMatchObject({ status: 'queued', attempts: 0 })
  })
})

describe('a delayed booking confirmation', () => {
  async function queueConfirmation(): Promise<{ emailId: string; bookingId: string }> {
    await shop.owner.query(
      'alter table public.bookings disable trigger t10_prevent_open_booking_delete',
    )
    await shop.owner.query('delete from public.bookings')
    const { rows: services } = await shop.owner.query<{ id: string }>(
      `select id from public.services where name = 'Brake Job'`,
    )
    await shop.database.transaction(visitor, (query) =>
      insertRow(query, 'bookings', bookingRow(services[0]?.id ?? '')),
    )
    const { rows } = await shop.owner.query<{ id: string }>('select id from public.bookings')
    const bookingId = rows[0]?.id ?? ''
    const emailId = await queue(
      createEmail({
        kind: 'booking_confirmation',
        bookingId,
        appointmentAt: '2026-11-28 13:30:00',
      }),
    )
    return { emailId, bookingId }
  }

  it.each([
    ['cancelled', `update public.bookings set status = 'cancelled'`],
    ['moved', `update public.bookings set appointment_time = '15:00'`],
    ['begun', `update public.bookings set appointment_date = '2026-11-19'`],
  ])(
    'is not sent when the appointment was changed after the email was queued: %s',
    async (state, change) => {
      const { emailId } = await queueConfirmation()
      await shop.owner.query(change)
      if (state === 'begun') {
        await shop.owner.query(`update public.emails set appointment_at = '2026-11-19 13:30'`)
      }
      expect(await openMailer().deliver(emailId)).toBe('failed')
      expect((await rowOf(emailId)).last_error).toContain(state)
      expect(server.received).toEqual([])
      // The owner receives no notice about the undelivered confirmation, because its content was outdated.
      const { rows } = await shop.owner.query('select kind from public.emails')
      expect(rows).toEqual([{ kind: 'booking_confirmation' }])
    },
  )

  it('is deleted together with its booking', async () => {
    const { emailId } = await queueConfirmation()
    await shop.owner.query('delete from public.bookings')
    expect(await openMailer().deliver(emailId)).toBe('failed')
    expect(server.received).toEqual([])
  })

  it('is sent while the appointment is unchanged', async () => {
    const { emailId } = await queueConfirmation()
    expect(await openMailer().deliver(emailId)).toBe('sent')
  })
})
