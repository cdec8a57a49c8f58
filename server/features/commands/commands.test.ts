import { randomUUID } from 'node:crypto'
import { request as sendRequest } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { bookingCommands } from '#contracts/bookings/booking-commands.ts'
import { counterCommands } from '#contracts/payments/counter-commands.ts'
import { depositCommands } from '#contracts/payments/deposits.ts'
import { recordAuthorizationCommand } from '#contracts/estimates/estimate-actions.ts'
import { cashCommands } from '#contracts/payments/day-close.ts'
import { teamCommands } from '#contracts/team.ts'
import { replyToQuoteCommand } from '#contracts/reply-to-quote.ts'
import { createStaffAccount } from '#server/features/admin-session/accounts/create-staff-account.ts'
import { staffEmail } from '#server/features/admin-session/gateway/auth-gateway.ts'
import { embeddedAuthGateway } from '#server/features/admin-session/gateway/embedded-auth-gateway.ts'
import { openAuth } from '@local/data-service'
import { queryBy } from '@local/postgres'
import { createTestApp, type TestApp, testAdmin } from '#tests/support/app/app.ts'
import { fastPasswords } from '#tests/support/app/fast-passwords.ts'
import { testKeys } from '#tests/support/app/test-keys.ts'
import { addService, fixtureClock } from '#tests/support/database/database-fixtures.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import { createEstimateClient } from '#tests/support/estimates/estimate-client.ts'
import { estimateDocument, estimateJob, laborLine } from '#tests/support/estimates/estimates.ts'
import { startMailServer, type TestMailServer } from '#tests/support/mail-server.ts'
import { createSmtpTransport } from '#server/features/emails/transport/smtp-transport.ts'
import { deleteOldCommands } from './run-command.ts'

let shop: TestApp
let mail: TestMailServer
let cookie: string
let serviceId: string
beforeAll(async () => {
  mail = await startMailServer()
  shop = await createTestApp({
    config: { rateLimits: 'off' },
    mailTransport: createSmtpTransport(mail.url),
  })
  await setShopClock(shop.database.owner, fixtureClock)
  cookie = await shop.logIn()
  serviceId = await addService(shop.database, 'Brake check', 60)
})
afterAll(async () => {
  await shop.close()
  await mail.stop()
})
const emptyTables = () =>
  owner(
    truncateTables(
      'public.bookings',
      'public.quote_requests',
      'public.emails',
      'public.payments',
      'public.invoices',
      'public.day_closes',
      'public.cash_movements',
    ),
  )
beforeEach(async () => {
  mail.setMood('takes')
  await emptyTables()
  await owner('delete from internal.commands; update public.services set is_active = true')
})
afterEach(() => vi.restoreAllMocks())

const owner = async <Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await shop.database.owner.query<Row>(sql, values)).rows

/**
 * Changes rows without running their triggers, to simulate a concurrent change by another user that the client has not
 * read.
 */
const silently = (sql: string) =>
  owner(`begin; set local session_replication_role = replica; ${sql}; commit`)

async function addBooking(): Promise<string> {
  const id = randomUUID()
  await owner(
    `insert into public.bookings (id, service_id, appointment_date, appointment_time, duration_minutes, customer_name,
       customer_email, customer_phone, status)
     values ($1, $2, '2026-11-28', '13:30', 60, 'Sam Okafor', 'sam@customer.example', '555-0155', 'confirmed')`,
    [id, serviceId],
  )
  return id
}

/** Reads the state of all records that a command may change. */
async function facts(): Promise<unknown> {
  const [row] = await owner(
    `select
       (select coalesce(json_agg(json_build_array(status, version, appointment_time)), '[]') from public.bookings) as bookings,
       (select count(*)::int from public.booking_events) as events,
       (select coalesce(json_agg(kind order by kind), '[]') from public.emails) as emails,
       (select coalesce(json_agg(status), '[]') from public.quote_requests) as quotes,
       (select count(*)::int from public.quote_email_logs) as replies,
       (select count(*)::int from public.authorizations) as authorizations,
       (select count(*)::int from public.payments) as payments,
       (select count(*)::int from internal.stripe_reports) as reports,
       (select count(*)::int from public.cash_movements) as movements,
       (select count(*)::int from public.day_closes) as closes,
       (select count(*)::int from public.day_close_corrections) as corrections,
       (select count(*)::int from internal.commands) as commands`,
  )
  return row
}

type Prepared = {
  readonly input: Record<string, unknown>
  /** A different valid input for the same command. A test sends this input with a command id that was already used. */
  readonly other: Record<string, unknown>
  /**
   * Two SQL statements: the first creates a condition under which the command is refused, the second removes this
   * condition.
   */
  readonly obstacle: readonly [make: string, remove: string]
  /** The kind of the email that the command queues, if it queues one. */
  readonly email?: string
  readonly code?: string
}
const outdated = (table: string): Prepared['obstacle'] => [
  `update ${table} set version = version + 1`,
  `update ${table} set version = version - 1`,
]

async function addInvoice(): Promise<string> {
  const invoiceId = `in_${randomUUID().replaceAll('-', '')}`
  await owner(
    `with customer as (
       insert into public.customers (name, email) values ('Sam Okafor', $1 || '@customer.example') returning id, name)
     insert into public.invoices (invoice_id, number, customer_id, customer_name, total_cents, currency, status, created_at)
     select $1, 'INV-1', id, name, 10000, 'usd', 'open', now() from customer`,
    [invoiceId],
  )
  return invoiceId
}

/** Creates an approved estimate with a requested deposit of $100.00. Returns its id. */
async function addDeposit(): Promise<string> {
  const client = createEstimateClient(shop.database)
  const job = estimateJob({ lines: [laborLine] })
  const estimateId = await client.write(estimateDocument([job]))
  await client.record(estimateId, { [job.key]: 'approved' })
  await owner(
    `insert into public.deposits (estimate_id, amount_cents, asked_by_name, asked_at) values ($1, 10000, 'ana', now())`,
    [estimateId],
  )
  return estimateId
}

const commands: readonly (readonly [string, { path: string }, () => Promise<Prepared>])[] = [
  [
    'an invitation with its email',
    teamCommands.invite,
    async () => {
      const invitationId = randomUUID()
      const email = `${invitationId}@example.com`
      const input = { invitationId, accountId: null, name: 'Mei Kato', email, role: 'advisor' }
      return {
        input,
        other: { ...input, role: 'technician' },
        obstacle: [
          `insert into public.staff_accounts (user_id, username, name, role, email)
           values (gen_random_uuid(), 'kato', 'Kato', 'advisor', '${email}')`,
          `delete from public.staff_accounts where username = 'kato'`,
        ],
        email: 'invitation',
      }
    },
  ],
  [
    'a payment at the counter with its receipt',
    counterCommands.takePayment,
    async () => {
      const input = {
        invoiceId: await addInvoice(),
        method: 'cash',
        amountCents: 10_000,
        givenCents: null,
        reference: null,
        note: null,
        sendsReceipt: true,
      }
      return {
        input,
        other: { ...input, amountCents: 5000 },
        obstacle: [
          `update public.invoices set status = 'void'`,
          `update public.invoices set status = 'open'`,
        ],
        email: 'payment_receipt',
      }
    },
  ],
  [
    'a deposit with its receipt',
    depositCommands.take,
    async () => {
      const input = {
        estimateId: await addDeposit(),
        method: 'cash',
        amountCents: 10_000,
        givenCents: null,
        reference: null,
        note: null,
        sendsReceipt: true,
      }
      return {
        input,
        other: { ...input, amountCents: 5000 },
        obstacle: [
          `update public.deposits set amount_cents = 1`,
          `update public.deposits set amount_cents = 10000`,
        ],
        email: 'payment_receipt',
      }
    },
  ],
  [
    'a move with its email',
    bookingCommands.move,
    async () => {
      const input = {
        bookingId: await addBooking(),
        seenVersion: 1,
        date: '2026-11-28',
        time: '15:00',
        minutes: 60,
        bayId: null,
        withoutBay: false,
        reason: null,
        notifies: true,
      }
      const other = { ...input, time: '16:00' }
      return { input, other, obstacle: outdated('public.bookings'), email: 'booking_moved' }
    },
  ],
  [
    'an edit with its email',
    bookingCommands.edit,
    async () => {
      const input = {
        bookingId: await addBooking(),
        seenVersion: 1,
        serviceId,
        date: '2026-11-28',
        time: '15:00',
        customerName: 'Sam Okafor',
        customerPhone: '555-0155',
        customerEmail: 'sam@customer.example',
        vehicleYear: '2019',
        vehicleMake: 'Subaru',
        vehicleModel: 'Outback',
        vehicleColor: null,
        vehiclePlate: null,
        contactChange: null,
        notifies: true,
      }
      const other = { ...input, vehicleYear: '2018' }
      return { input, other, obstacle: outdated('public.bookings'), email: 'booking_moved' }
    },
  ],
  [
    'a cancellation with its email',
    bookingCommands.cancel,
    async () => {
      const input = {
        bookingId: await addBooking(),
        seenVersion: 1,
        reason: 'Sold',
        notifies: true,
      }
      const other = { ...input, reason: 'Ill' }
      return { input, other, obstacle: outdated('public.bookings'), email: 'booking_cancelled' }
    },
  ],
  [
    'a phone booking with its confirmation',
    bookingCommands.bookByPhone,
    async () => {
      const input = {
        bookingId: randomUUID(),
        serviceId,
        date: '2026-11-28',
        time: '13:30',
        bayId: null,
        withoutBay: false,
        reason: null,
        customerName: 'Sam Okafor',
        customerPhone: '555-0155',
        customerEmail: 'sam@customer.example',
        notes: null,
        vehicleYear: '2015',
        vehicleMake: 'Honda',
        vehicleModel: 'Accord',
        vehicleColor: null,
        vehiclePlate: null,
      }
      const obstacle = [
        'update public.services set is_active = false',
        'update public.services set is_active = true',
      ] as const
      return {
        input,
        other: { ...input, time: '14:30' },
        obstacle,
        email: 'booking_confirmation',
      }
    },
  ],
  [
    'an approval with its email',
    recordAuthorizationCommand,
    async () => {
      const client = createEstimateClient(shop.database)
      const document = estimateDocument([estimateJob({ lines: [laborLine] })])
      const estimateId = await client.write(document)
      const { version, jobs } = await client.read(estimateId)
      const input = {
        estimateId,
        seenVersion: version,
        decisions: [{ jobKey: jobs[0]?.key, decision: 'approved', declinedId: null }],
        method: 'phone',
        decidedByName: 'Maria Delgado',
        relationship: '',
        contact: '+1 650 555 0167',
        statement: 'Go ahead.',
        decidedAt: fixtureClock,
        wantsPartsBack: false,
      }
      return {
        input,
        other: { ...input, statement: 'Wait.' },
        obstacle: outdated('public.estimates'),
        email: 'estimate_approved',
      }
    },
  ],
  [
    'a reply to a quote request',
    replyToQuoteCommand,
    async () => {
      const [quote] = await owner<{ id: string }>(
        `insert into public.quote_requests (name, email, vehicle_year, vehicle_make, vehicle_model, description)
         values ('Sam Okafor', 'sam@customer.example', '2015', 'Honda', 'Accord', 'It squeaks.') returning id`,
      )
      const input = {
        quoteRequestId: quote?.id,
        recipientEmail: 'sam@customer.example',
        recipientName: 'Sam Okafor',
        subject: 'Quote for Brake Service',
        originalDraft: 'About $300.',
        polishedDraft: null,
        finalBody: 'About $280.',
        vehicleInfo: '2015 Honda Accord',
      }
      return {
        input,
        other: { ...input, finalBody: 'About $290.' },
        obstacle: [
          `update public.quote_requests set email = 'new@customer.example'`,
          `update public.quote_requests set email = 'sam@customer.example'`,
        ],
        email: 'quote_reply',
        code: 'WRONG_RECIPIENT',
      }
    },
  ],
  [
    'the close of a day',
    cashCommands.closeDay,
    async () => {
      await owner(cashPayment)
      const input = closeOfDay
      return {
        input,
        other: { ...input, remainsCents: 0 },
        obstacle: [
          `update public.payments set amount_cents = 900`,
          `update public.payments set amount_cents = 1000`,
        ],
      }
    },
  ],
  [
    'a correction of a close',
    cashCommands.correctClose,
    async () => {
      await owner(cashPayment)
      const { body } = await run(cashCommands.closeDay.path, randomUUID(), closeOfDay)
      await owner('delete from internal.commands')
      const { closeId } = body['result'] as { closeId: string }
      const input = { closeId, amountCents: 200, reason: 'Two singles under the tray' }
      return {
        input,
        other: { ...input, amountCents: 300 },
        obstacle: [
          `update public.day_closes set id = gen_random_uuid()`,
          `update public.day_closes set id = '${closeId}'`,
        ],
      }
    },
  ],
  [
    'a movement of cash',
    cashCommands.recordMovement,
    async () => {
      const input = { kind: 'paid_out', amountCents: 1250, reason: 'Oil filters' }
      const check = 'alter table public.cash_movements'
      return {
        input,
        other: { ...input, kind: 'paid_in' },
        obstacle: [
          `${check} add constraint no_movement check (false) not valid`,
          `${check} drop constraint no_movement`,
        ],
      }
    },
  ],
]

const cashPayment = `insert into public.payments (invoice_id, kind, method, amount_cents, currency, paid_at)
  values ('in_one', 'payment', 'cash', 1000, 'usd', internal.current_instant())`
const closeOfDay = {
  date: '2026-11-20',
  startCents: 500,
  counted: { 500: 3 },
  seenExpectedCents: 1500,
  terminalCents: null,
  checkCents: null,
  reason: null,
  note: null,
  remainsCents: 500,
}

const run = async (path: string, commandId: string, input: unknown, as = cookie) => {
  const response = await shop.inject({
    method: 'POST',
    url: path,
    headers: { cookie: as },
    payload: { commandId, input },
  })
  return { status: response.statusCode, body: response.json<Record<string, unknown>>() }
}

/**
 * Calls `onStatement` before each SQL statement of a command, with the statement as `text`. Calls `onStatement` once
 * more before the commit, without `text`.
 */
function watchCommands(onStatement: (role: string, text?: string) => void) {
  const { database } = shop.database
  const transaction = database.transaction.bind(database)
  vi.spyOn(database, 'transaction').mockImplementation((identity, work) =>
    transaction(identity, async (query, actAs) => {
      let isCommand = false
      let { role } = identity
      const watched = queryBy(async (text, ...more) => {
        isCommand ||= text.includes('insert into internal.commands')
        if (isCommand) onStatement(role, text)
        return query.unchecked(text, ...more)
      })
      const result = await work(watched, async (other, inner) => {
        role = other.role
        const done = await actAs(other, inner)
        role = identity.role
        return done
      })
      if (isCommand) onStatement(role)
      return result
    }),
  )
}

/**
 * Simulates a crash of the process before statement number `fatal`, counted from 0. The returned function returns the
 * number of executed statements.
 */
function failAt(fatal: number) {
  let count = 0
  watchCommands(() => {
    if (count === fatal) throw new Error('The process died')
    count += 1
  })
  return () => count
}

describe.each(commands)('the command %s', (_name, { path }, prepare) => {
  it('is executed once, and a repeated request with the same command id returns the first result', async () => {
    const { input, email } = await prepare()
    const commandId = randomUUID()
    const first = await run(path, commandId, input)
    expect(first).toMatchObject({ status: 200, body: { ok: true } })
    const after = await facts()
    expect(after).toMatchObject({ emails: email ? [email] : [], commands: 1 })
    expect(await run(path, commandId, input)).toEqual(first)
    expect(await facts()).toEqual(after)
  })

  it('is executed even if the client closes the connection before the response', async () => {
    const { input, email } = await prepare()
    await closeAfterSending(path, { commandId: randomUUID(), input })
    await expect.poll(facts).toMatchObject({ emails: email ? [email] : [], commands: 1 })
  })

  it('is executed completely or not at all when the process is killed, and exactly once when the client then repeats the request', async () => {
    const { input, email } = await prepare()
    const before = await facts()
    const commandId = randomUUID()
    let statements = 0
    for (; ; statements += 1) {
      const executed = failAt(statements)
      const { status } = await run(path, commandId, input)
      vi.restoreAllMocks()
      if (status === 200) break
      expect([status, executed()]).toEqual([500, statements])
      expect(await facts()).toEqual(before)
    }
    expect(statements).toBeGreaterThan(3)
    expect(await facts()).toMatchObject({ emails: email ? [email] : [], commands: 1 })
  })

  it('is executed once for simultaneous requests with the same command id', async () => {
    const { input, email } = await prepare()
    const commandId = randomUUID()
    const answers = await Promise.all([1, 2, 3].map(() => run(path, commandId, input)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    expect(await facts()).toMatchObject({ emails: email ? [email] : [], commands: 1 })
  })

  it('stores no result when it is refused, so that the same request can succeed later', async () => {
    const { input, obstacle, email, code = 'REFUSED_BY_DATABASE' } = await prepare()
    await silently(obstacle[0])
    const before = await facts()
    const commandId = randomUUID()
    const refusal = await run(path, commandId, input)
    expect(refusal.body).toMatchObject({ ok: false, code })
    expect(await facts()).toEqual(before)
    await silently(obstacle[1])
    expect((await run(path, commandId, input)).status).toBe(200)
    expect(await facts()).toMatchObject({ emails: email ? [email] : [], commands: 1 })
  })

  it('is refused when its command id was already used with another input or by another staff account', async () => {
    const { input, other } = await prepare()
    const commandId = randomUUID()
    await run(path, commandId, input)
    const after = await facts()
    const refused = { status: 409, body: { code: 'COMMAND_ID_USED' } }
    expect(await run(path, commandId, other)).toMatchObject(refused)
    expect(await run(path, commandId, input, await logInAs('ben'))).toMatchObject(refused)
    const { notify } = bookingCommands
    const bookingId = randomUUID()
    expect(await run(notify.path, commandId, { bookingId, about: 'moved' })).toMatchObject(refused)
    expect(await facts()).toEqual(after)
    // The same staff account receives the result of the first request even in another browser.
    expect((await run(path, commandId, input, await shop.logIn())).status).toBe(200)
    expect(await facts()).toEqual(after)
  })
})

/**
 * The statements that commands run with the rights of the server. All other statements run with the rights of
 * the staff account.
 */
const serverStatements: readonly string[] = [
  // The statements on the row of `internal.commands` that stores the command and its result.
  'insert into internal.commands',
  // The statements on the outbox: staff may resend an email, but not write one.
  'insert into public.emails',
  // The statement that reads the content of an email about an appointment, including the appointment time in the last
  // email to the customer (internal.known_start).
  'select id, service_name as "serviceName"',
  // The statement that reads the invitation of a team member, with the name of the owner who sends the invitation.
  'select invitation.id, invitation.name',
  // The statement that creates the secret token in a link to a customer's page.
  'select internal.estimate_token($1) as token',
  // The statement that reads the estimate as the customer's page shows it.
  'select internal.read_sent_revision($1)',
  'select public.queue_quote_reply($1, $2) as id',
  'select public.visit_page_token($1) as token',
  // The statement that marks the transaction as running a command that requires owner rights.
  `select set_config('shop.command', $1, true)`,
  'update internal.commands set result = $2 where id = $1',
]

describe('a command', () => {
  it('runs only the statements in this test’s list with the rights of the server, and all others with the rights of the staff account', async () => {
    const recorded = new Set<string>()
    watchCommands((role, text) => {
      if (role === 'shop_server' && text) recorded.add(text.trim().replaceAll(/\s+/g, ' '))
    })
    for (const [, { path }, prepare] of commands) {
      const { status } = await run(path, randomUUID(), (await prepare()).input)
      expect(status).toBe(200)
      await emptyTables()
    }
    const booking = { bookingIds: [await addBooking()], reason: null, notifiedIds: [] }
    await run(bookingCommands.cancelMany.path, randomUUID(), booking)
    await run(bookingCommands.reopen.path, randomUUID(), { bookings: [] })
    const unlisted = [...recorded].filter(
      (text) => !serverStatements.some((listed) => text.startsWith(listed)),
    )
    expect(unlisted).toEqual([])
    expect(recorded.size).toBe(serverStatements.length)
  })

  it('requires a staff session and refuses cross-site requests', async () => {
    const { path } = bookingCommands.notify
    const payload = { commandId: randomUUID(), input: { bookingId: randomUUID(), about: 'moved' } }
    const post = async (headers: Record<string, string>) =>
      (await shop.inject({ method: 'POST', url: path, headers, payload })).statusCode
    expect(await post({})).toBe(401)
    expect(await post({ cookie, origin: 'https://elsewhere.example' })).toBe(403)
    expect(await post({ cookie })).toBe(404)
  })

  it('is subject to the row-level security of the staff account, like a request to the REST API', async () => {
    const bookingId = await addBooking()
    const input = { bookingId, seenVersion: 1, reason: null, notifies: false }
    await run(bookingCommands.cancel.path, randomUUID(), input)
    const client = await shop.createClient()
    const { username, password } = testAdmin
    await client.auth.signInWithPassword({ email: staffEmail(username), password })
    const { error } = await client.rpc('change_booking_state', {
      booking_id: bookingId,
      new_state: 'confirmed',
      seen_version: 2,
    })
    expect(error).toBeNull()
    const events = await owner<{ who: string }>(
      `select kind || ' ' || source || ' ' || changed_by_name as who from public.booking_events
       where booking_id = $1 order by id desc limit 2`,
      [bookingId],
    )
    expect(events).toEqual([{ who: 'reopened counter admin' }, { who: 'cancelled counter admin' }])
  })

  it('has its result stored for a day, so that a repeated request returns the same result', async () => {
    const bookingId = await addBooking()
    const input = { bookingId, seenVersion: 1, reason: null, notifies: false }
    await run(bookingCommands.cancel.path, randomUUID(), input)
    await deleteOldCommands(shop.database.database)
    expect(await facts()).toMatchObject({ commands: 1 })
    await owner(`update internal.commands set created_at = now() - interval '25 hours'`)
    await deleteOldCommands(shop.database.database)
    expect(await facts()).toMatchObject({ commands: 0 })
  })
})

describe('a cancellation of several bookings', () => {
  it('notifies the customers whom staff chose to notify; an undo restores the earlier status of each booking', async () => {
    const [id, emptyId] = [await addBooking(), randomUUID()]
    await owner(
      `insert into public.bookings (id, service_id, appointment_date, appointment_time, duration_minutes, customer_name,
         customer_phone, status)
       values ($1, $2, '2026-11-28', '15:00', 60, 'Jon Bellamy', '555-0129', 'pending')`,
      [emptyId, serviceId],
    )
    const input = { bookingIds: [id, emptyId], reason: null, notifiedIds: [id, emptyId] }
    const { body } = await run(bookingCommands.cancelMany.path, randomUUID(), input)
    expect(body).toEqual({
      ok: true,
      result: {
        cancelled: expect.arrayContaining([
          { id, previousStatus: 'confirmed' },
          { id: emptyId, previousStatus: 'pending' },
        ]),
        notNotified: [emptyId],
      },
    })
    expect(await facts()).toMatchObject({ emails: ['booking_cancelled'] })
    const bookings = [
      { id, status: 'confirmed' },
      { id: emptyId, status: 'pending' },
    ]
    await run(bookingCommands.reopen.path, randomUUID(), { bookings })
    const statuses = await owner('select status from public.bookings order by appointment_time')
    expect(statuses).toEqual([{ status: 'confirmed' }, { status: 'pending' }])
  })
})

describe('a quote reply that the mail server refuses', () => {
  it('leaves the quote request pending; when staff send it again, the email has the same text', async () => {
    const prepare = commands.find(([, { path }]) => path === replyToQuoteCommand.path)?.[2]
    const { input } = (await prepare?.()) ?? {}
    mail.setMood('refuses-recipient')
    const commandId = randomUUID()
    const refusal = await run(replyToQuoteCommand.path, commandId, input)
    expect(refusal).toMatchObject({ status: 502, body: { code: 'REPLY_NOT_SENT' } })
    expect(await facts()).toMatchObject({ quotes: ['pending'], emails: ['quote_reply'] })
    mail.setMood('takes')
    expect((await run(replyToQuoteCommand.path, randomUUID(), input)).status).toBe(200)
    expect(await facts()).toMatchObject({
      quotes: ['completed'],
      emails: ['quote_reply'],
      replies: 1,
    })
  })
})

/** Sends a complete request and closes the connection without reading the response. */
async function closeAfterSending(path: string, payload: unknown): Promise<void> {
  const url = new URL(path, await shop.listen())
  const body = JSON.stringify(payload)
  await new Promise<void>((resolve) => {
    const sent = sendRequest(url, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', 'content-length': body.length },
    })
    sent.on('error', () => undefined)
    sent.end(body, () => {
      sent.destroy()
      resolve()
    })
  })
}

/** Creates another staff account and returns its session cookie. */
async function logInAs(username: string): Promise<string> {
  const auth = await openAuth({
    database: shop.database.database,
    keys: testKeys,
    now: Date.now,
    publicUrl: 'http://test',
    passwords: fastPasswords,
  })
  const { password } = testAdmin
  const gateway = embeddedAuthGateway(auth)
  const { database } = shop.database
  await createStaffAccount({ database, gateway }, { username, password, role: 'owner' })
  const payload = { username, password }
  const response = await shop.inject({ method: 'POST', url: '/api/admin/login', payload })
  const session = response.cookies.find(({ name }) => name === 'admin_session')
  return `${session?.name}=${session?.value}`
}
