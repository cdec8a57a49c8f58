import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sendEstimateEndpoint } from '#contracts/estimates/estimate-actions.ts'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { createEstimateClient } from '#tests/support/estimates/estimate-client.ts'
import { estimateDocument, estimateJob, laborLine } from '#tests/support/estimates/estimates.ts'
import { type TestMailServer, startMailServer } from '#tests/support/mail-server.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { addService, admin, fixtureClock } from '#tests/support/database/database-fixtures.ts'
import { createSmtpTransport } from '#server/features/emails/transport/smtp-transport.ts'
import { notifyApprovals } from './notify-approvals.ts'

let shop: TestApp
let mail: TestMailServer
let cookie: string
let estimateClient: ReturnType<typeof createEstimateClient>
beforeAll(async () => {
  mail = await startMailServer()
  shop = await createTestApp({ mailTransport: createSmtpTransport(mail.url) })
  cookie = await shop.logIn()
  estimateClient = createEstimateClient(shop.database)
})
afterAll(async () => {
  await shop.close()
  await mail.stop()
})
beforeEach(async () => {
  shop.forgetRefusals()
  await shop.database.owner.query(
    `delete from internal.rate_limits; delete from public.emails where kind = 'estimate'`,
  )
  await setShopClock(shop.database.owner, fixtureClock)
  mail.setMood('takes')
  mail.received.length = 0
})

async function send(estimateId: string, seenVersion?: number) {
  const response = await shop.inject({
    method: 'POST',
    url: sendEstimateEndpoint.path,
    headers: { cookie },
    payload: { estimateId, seenVersion: seenVersion ?? (await estimateClient.version(estimateId)) },
  })
  return { status: response.statusCode, body: response.json() }
}
/** Lists all emails about an estimate. */
const listEmails = async (id: string) => {
  const { rows } = await shop.database.owner.query<Record<string, string>>(
    `select id, kind, subject, text_body, html_body, status, last_error, estimate_id, leased_until from public.emails
     where estimate_id = $1`,
    [id],
  )
  return rows
}
const deliver = async (id: string) => {
  await shop.database.owner.query('update public.emails set next_attempt_at = now()')
  const [email] = await listEmails(id)
  const url = `/api/emails/${email?.['id']}/resend`
  await shop.inject({ method: 'POST', url, headers: { cookie } })
  return (await listEmails(id))[0]
}

describe('sending an estimate', () => {
  it('freezes the sent revision and queues one email with the estimate link, the total and the last valid day', async () => {
    const id = await estimateClient.write()
    const { status, body } = await send(id)
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        emailId: expect.any(String),
        saved: expect.objectContaining({ revision: 1, totalCents: 29_295, problems: [] }),
      },
    ])
    const [email] = await listEmails(id)
    expect(email).toMatchObject({ kind: 'estimate', estimate_id: id })
    expect(email?.['subject']).toMatch(
      /^Estimate E-\d+ from Torque & Timing: 2019 Subaru Outback, \$292\.95$/,
    )
    expect(email?.['text_body']).toContain(await estimateClient.path(id))
    expect(email?.['text_body']).toContain('Good until: Tuesday, December 8, 2026')
    expect(email?.['text_body']).toContain('Car: 2019 Subaru Outback')
    expect(email?.['text_body']).toContain('Odometer: 71,506 mi')
    expect(JSON.stringify(email)).not.toContain('8KLM204')
  })

  it('states in the email that the shop inspected the vehicle only if the vehicle is at the shop', async () => {
    const serviceId = await addService(shop.database, 'Brake check', 60)
    const textFor = async (status: string) => {
      const { rows } = await shop.database.owner.query<{ id: string }>(
        `insert into public.bookings (service_id, appointment_date, appointment_time, duration_minutes, customer_name,
           customer_phone, bay_id, status)
         values ($1, '2026-11-28', '13:30', 60, 'Maria Delgado', '(650) 555-0167', null, $2) returning id`,
        [serviceId, status],
      )
      const id = await estimateClient.write(estimateDocument(), { bookingId: rows[0]?.id })
      await send(id)
      return (await listEmails(id))[0]?.['text_body']
    }
    expect(await textFor('confirmed')).toContain('This is what the work on your car would cost.')
    expect(await textFor('arrived')).toContain('We inspected your car.')
  })

  it('creates one revision and one email when it is requested twice, even at the same time', async () => {
    const id = await estimateClient.write()
    const seen = await estimateClient.version(id)
    const responses = await Promise.all([send(id, seen), send(id, seen)])
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    expect(responses[0]?.body.emailId).toBe(responses[1]?.body.emailId)
    expect((await send(id)).body.saved.revision).toBe(1)
    expect((await listEmails(id)).length).toBe(1)
  })

  it('freezes the revision and queues no email when the customer has no email address', async () => {
    const customer = { name: 'Maria Delgado', email: '', phone: '(650) 555-0167' }
    const id = await estimateClient.write(estimateDocument(undefined, { customer }))
    expect((await send(id)).body).toMatchObject({ ok: true, emailId: null })
    expect((await estimateClient.sentRevision(id)).sentAt).toBeNull()
    expect(await listEmails(id)).toEqual([])
  })

  it('is refused for an unknown, incomplete or expired estimate and for an estimate that changed since the client read it, and freezes no revision', async () => {
    const id = await estimateClient.write(estimateDocument([estimateJob({ lines: [] })]))
    expect((await send(id)).body.code).toBe('ESTIMATE_NOT_READY')
    expect((await send(id, 1)).body.code).toBe('ESTIMATE_CHANGED')
    expect((await send(randomUUID(), 1)).body.code).toBe('ESTIMATE_NOT_FOUND')
    const old = await estimateClient.write(estimateDocument(undefined, { goodUntil: '2026-11-19' }))
    expect((await send(old)).body.code).toBe('ESTIMATE_EXPIRED')
    for (const each of [id, old]) expect(await estimateClient.sentRevision(each)).toBeNull()
    expect(await listEmails(id)).toEqual([])
  })

  it('is refused for a decided estimate until the estimate changes', async () => {
    const job = estimateJob()
    const id = await estimateClient.write(estimateDocument([job]))
    await send(id)
    await estimateClient.record(id, { [job.key]: 'approved' })
    expect((await send(id)).body.code).toBe('ESTIMATE_DECIDED')
    const more = estimateJob({ lines: [{ ...laborLine, quantityThousandths: 500 }] })
    await estimateClient.save(id, estimateDocument([job, more]))
    expect((await send(id)).body.saved.revision).toBe(2)
    const subjects = (await listEmails(id)).map(({ subject }) => subject)
    expect(subjects).toContainEqual(expect.stringMatching(/^Revised estimate E-/))
  })
})

describe('a sent estimate whose email address changes', () => {
  const changeEmail = async (id: string, email: string) =>
    estimateClient.call(admin, `public.change_estimate_email($1, $2, $3, 'new_address')`, [
      id,
      await estimateClient.version(id),
      email,
    ])

  it('is emailed again with a new link, and the old link becomes invalid', async () => {
    const id = await estimateClient.write()
    await send(id)
    const path = await estimateClient.path(id)
    await changeEmail(id, 'maria.new@example.com')
    for (const method of ['GET', 'POST'] as const) {
      const url = method === 'GET' ? path : `${path}/approve`
      expect((await shop.inject({ method, url })).statusCode).toBe(404)
    }
    expect([(await send(id)).status, (await send(id)).status]).toEqual([200, 200])
    const { rows } = await shop.database.owner.query(
      'select recipient_email, text_body from public.emails where estimate_id = $1 order by created_at',
      [id],
    )
    expect(rows.map(({ recipient_email: to }) => to)).toEqual([
      'maria@example.com',
      'maria.new@example.com',
    ])
    expect(rows[1].text_body).toContain(await estimateClient.path(id))
    expect(
      (await shop.inject({ method: 'GET', url: await estimateClient.path(id) })).statusCode,
    ).toBe(200)
  })

  it('is not sent to the old email address if the email is still in the outbox', async () => {
    mail.setMood('is-busy')
    const id = await estimateClient.write()
    await send(id)
    await expect
      .poll(() => listEmails(id), { timeout: 10_000 })
      .toEqual([expect.objectContaining({ status: 'retrying', leased_until: null })])
    await changeEmail(id, 'maria.new@example.com')
    mail.setMood('takes')
    expect(await deliver(id)).toMatchObject({
      status: 'failed',
      last_error: 'Not sent: the customer has another address.',
    })
    expect(mail.received).toEqual([])
  })

  it('is delivered with the new link when staff create a new link while the email is in the outbox', async () => {
    mail.setMood('is-busy')
    const id = await estimateClient.write()
    await send(id)
    await expect
      .poll(() => listEmails(id), { timeout: 10_000 })
      .toEqual([expect.objectContaining({ status: 'retrying', leased_until: null })])
    mail.setMood('takes')
    await estimateClient.call(admin, 'public.read_estimate_link($1, true)', [id])
    expect((await deliver(id))?.['text_body']).toContain(await estimateClient.path(id))
  })
})

describe('an estimate email whose delivery is delayed', () => {
  const waiting = async () => {
    mail.setMood('is-busy')
    const job = estimateJob()
    const id = await estimateClient.write(estimateDocument([job]))
    await send(id)
    // Waits until the delivery attempt that follows the request has ended.
    await expect
      .poll(() => listEmails(id), { timeout: 10_000 })
      .toEqual([expect.objectContaining({ status: 'retrying', leased_until: null })])
    mail.setMood('takes')
    expect(mail.received).toEqual([])
    return { id, job }
  }

  it('is sent while the estimate can be decided', async () => {
    const { id } = await waiting()
    expect((await deliver(id))?.['status']).toBe('sent')
    expect(mail.received.length).toBe(1)
  })

  it('is not sent after another revision was sent', async () => {
    const { id, job } = await waiting()
    await estimateClient.save(id, estimateDocument([job, estimateJob()]))
    await estimateClient.freeze(id)
    expect((await deliver(id))?.['last_error']).toBe('Not sent: the estimate was changed.')
    expect(mail.received).toEqual([])
  })

  it('is not sent after the estimate was decided', async () => {
    const { id, job } = await waiting()
    await estimateClient.record(id, { [job.key]: 'approved' })
    expect((await deliver(id))?.['last_error']).toBe('Not sent: the estimate was answered.')
  })

  it('is not sent after the estimate has expired', async () => {
    const { id } = await waiting()
    await setShopClock(shop.database.owner, '2026-12-09T08:00:00Z')
    expect((await deliver(id))?.['last_error']).toBe('Not sent in time: the estimate has expired.')
  })
})

describe('an approval that staff recorded', () => {
  const notify = () =>
    notifyApprovals({
      database: shop.database.database,
      currentShop: () => defaultShop,
      publicUrl: shop.config.publicUrl,
    })

  it('is confirmed to the customer in one email that states the name, the channel and the time of the approval', async () => {
    const [job, other] = [estimateJob(), estimateJob({ title: 'Cabin air filter' })]
    const id = await estimateClient.write(estimateDocument([job, other]))
    await estimateClient.record(id, { [job.key]: 'approved', [other.key]: 'declined' })
    await notify()
    await notify()
    const [email, ...others] = await listEmails(id)
    expect(others).toEqual([])
    expect(email).toMatchObject({ kind: 'estimate_approved', estimate_id: id })
    expect(email?.['text_body']).toContain('Front brakes: $292.95')
    expect(email?.['text_body']).toContain('Cabin air filter: not now')
    expect(email?.['text_body']).toContain(
      'Maria Delgado, by phone with ana, November 20, 2026, 10:00 AM',
    )
  })

  it('causes no email if staff recorded only declined jobs', async () => {
    const job = estimateJob()
    const id = await estimateClient.write(estimateDocument([job]))
    await estimateClient.record(id, { [job.key]: 'declined' })
    await notify()
    expect(await listEmails(id)).toEqual([])
  })
})
