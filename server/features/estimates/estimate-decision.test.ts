import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { createEstimateClient } from '#tests/support/estimates/estimate-client.ts'
import { estimateDocument, estimateJob, laborLine } from '#tests/support/estimates/estimates.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { fixtureClock } from '#tests/support/database/database-fixtures.ts'

let shop: TestApp
let estimateClient: ReturnType<typeof createEstimateClient>
const logged: string[] = []
beforeAll(async () => {
  shop = await createTestApp({
    config: { logLevel: 'info' },
    logStream: { write: (line) => void logged.push(line) },
  })
  estimateClient = createEstimateClient(shop.database)
})
afterAll(() => shop.close())
beforeEach(async () => {
  shop.forgetRefusals()
  await shop.database.owner.query(
    `delete from internal.rate_limits; delete from public.emails;
     update public.booking_rules set notify_shop_of_changes = false`,
  )
  await setShopClock(shop.database.owner, fixtureClock)
})

const priced = (unitPriceCents: number, key: string = randomUUID()) =>
  estimateJob({ key, lines: [{ ...laborLine, quantityThousandths: 1000, unitPriceCents }] })
const needed = randomUUID()
const later = randomUUID()
/** Returns the document of an estimate with a job for $300.00 that is needed now and a job for $50.00 that can wait. */
const two = () =>
  estimateDocument([priced(30_000, needed), { ...priced(5000, later), isNeeded: false }])

async function createSentEstimate(document = two()) {
  const id = await estimateClient.write(document)
  await estimateClient.freeze(id)
  return { id, path: await estimateClient.path(id) }
}
const openPage = (url: string, method: 'GET' | 'HEAD' = 'GET') => shop.inject({ method, url })
const post = (url: string, fields: Record<string, string>, headers = {}) =>
  shop.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
  })
/** Submits the approval form of the current estimate page with its default values, except the fields in `change`. */
async function approve(id: string, change: Record<string, string> = {}) {
  const { revisionHash: revision } = await estimateClient.sentRevision(id)
  return post(`${await estimateClient.path(id)}/approve`, {
    revision,
    [`job-${needed}`]: 'approve',
    [`job-${later}`]: 'wait',
    shown: '30000',
    decidedBy: 'Maria Delgado',
    ...change,
  })
}
const authorizationsOf = async (id: string) =>
  (await estimateClient.sentRevision(id)).authorizations.map(
    ({ decision, amountCents, decidedByName: decidedBy, method }) => [
      decision,
      amountCents,
      decidedBy,
      method,
    ],
  )
const listEmails = async () => {
  const { rows } = await shop.database.owner.query<Record<string, string>>(
    'select kind, subject, text_body, recipient_email from public.emails order by created_at, kind',
  )
  return rows
}

describe('the page of an estimate', () => {
  it('shows the sent revision of the estimate; opening the page changes no record', async () => {
    const { id, path } = await createSentEstimate()
    const before = await estimateClient.sentRevision(id)
    for (const below of ['', '/decline', '/approve']) {
      for (const method of ['GET', 'HEAD'] as const) {
        expect([200, 303]).toContain((await openPage(path + below, method)).statusCode)
      }
    }
    const page = await openPage(path)
    for (const text of ['Your estimate is ready', 'Approve $300.00', 'Front brakes']) {
      expect(page.body).toContain(text)
    }
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    })
    expect(await estimateClient.sentRevision(id)).toEqual(before)
    const { rows } = await shop.database.owner.query(
      'select seen_at from public.estimate_revisions where estimate_id = $1',
      [id],
    )
    expect(rows).toEqual([{ seen_at: null }])
  })

  it('contains no internal data: no VIN, no plate, no internal note', async () => {
    const { path } = await createSentEstimate({
      ...two(),
      internalNote: 'Pays late.',
      vehicle: { ...two().vehicle, vin: 'JF1AA2BB3CC444555' },
    })
    const { body } = await openPage(path)
    expect(body).not.toMatch(/Pays late|JF1AA2BB|8KLM204|555-0167/)
    // The page shows the odometer reading, because the customer's approval includes the reading.
    expect(body).toMatch(/71,506/)
  })

  it('returns 404 before the estimate was sent, and never shows a later draft', async () => {
    const id = await estimateClient.write(two())
    const path = await estimateClient.path(id)
    expect((await openPage(path)).statusCode).toBe(404)
    await estimateClient.freeze(id)
    await estimateClient.save(id, estimateDocument([priced(99_900)]))
    expect((await openPage(path)).body).toContain('$300.00')
    expect((await openPage(path)).body).not.toContain('$999.00')
  })

  it('records when the customer first views the displayed revision', async () => {
    const { id, path } = await createSentEstimate()
    const { revisionHash: revision } = await estimateClient.sentRevision(id)
    const seenAt = async () => {
      const { rows } = await shop.database.owner.query<{ seen_at: Date | null }>(
        'select seen_at from public.estimate_revisions where estimate_id = $1',
        [id],
      )
      return rows[0]?.seen_at
    }
    await post(`${path}/seen`, { revision: 'b'.repeat(64) })
    expect(await seenAt()).toBeNull()
    expect((await post(`${path}/seen`, { revision })).statusCode).toBe(204)
    const first = await seenAt()
    expect(first).not.toBeNull()
    await setShopClock(shop.database.owner, '2026-11-21T18:00:00Z')
    await post(`${path}/seen`, { revision })
    expect(await seenAt()).toEqual(first)
  })

  it('writes no token to the log, and refuses a cross-site form submission and an oversized form', async () => {
    const { id, path } = await createSentEstimate()
    logged.length = 0
    await openPage(path)
    const elsewhere = await post(`${path}/decline`, {}, { 'sec-fetch-site': 'cross-site' })
    expect(elsewhere.statusCode).toBe(403)
    expect((await approve(id, { decidedBy: 'a'.repeat(9_000) })).statusCode).toBe(413)
    expect(logged.join('')).toContain('/estimate/[…]/decline')
    expect(logged.join('')).not.toContain(path.slice(10))
    expect(await authorizationsOf(id)).toEqual([])
  })

  it('accepts forty jobs in one form', async () => {
    const jobs = Array.from({ length: 40 }, () => priced(1000))
    const { id, path } = await createSentEstimate(estimateDocument(jobs))
    const { revisionHash: revision } = await estimateClient.sentRevision(id)
    const chosen = Object.fromEntries(jobs.map(({ key }) => [`job-${key}`, 'approve']))
    const fields = { ...chosen, revision, shown: '40000', decidedBy: '\u{1f600}'.repeat(50) }
    expect((await post(`${path}/approve`, fields)).statusCode).toBe(303)
    expect((await estimateClient.sentRevision(id)).authorizedCents).toBe(40_000)
  })

  it('allows a client 120 views and 30 decisions in ten minutes', async () => {
    const { id, path } = await createSentEstimate()
    for (let nth = 0; nth < 30; nth += 1) await approve(id, { decidedBy: '' })
    expect((await approve(id)).statusCode).toBe(429)
    expect(await authorizationsOf(id)).toEqual([])
    for (let nth = 0; nth < 120; nth += 1) await openPage(path)
    expect((await openPage(path)).statusCode).toBe(429)
  })
})

describe('an approval on the estimate page', () => {
  it("is recorded with the customer's name, declines the jobs that were not chosen, and sends the customer an email", async () => {
    const { id, path } = await createSentEstimate()
    const response = await approve(id, { 'parts-back': 'yes' })
    expect([response.statusCode, response.headers.location]).toEqual([303, path])
    expect(await authorizationsOf(id)).toEqual([
      ['approved', 30_000, 'Maria Delgado', 'web'],
      ['declined', 5000, 'Maria Delgado', 'web'],
    ])
    const page = (await openPage(path)).body.replaceAll(/<[^>]*>|\s+/g, ' ').replaceAll(/ +/g, ' ')
    expect(page).toContain('You approved 1 of 2 jobs')
    expect(page).toContain('Maria Delgado, online, November 20, 2026, 10:00 AM')
    expect(page).toContain('You want the replaced parts back.')
    expect(page).not.toContain('Approve $')
    const [email, ...others] = await listEmails()
    expect(others).toEqual([])
    expect(email).toMatchObject({
      kind: 'estimate_approved',
      recipient_email: 'maria@example.com',
    })
    expect(email?.['text_body']).toContain('Front brakes: $300.00')
    expect(email?.['text_body']).toContain('Approved total: $300.00, tax included')
    expect(email?.['text_body']).toContain(path)
  })

  it('is recorded once and causes one email when the form is submitted again, or twice at the same time', async () => {
    const { id } = await createSentEstimate()
    const both = await Promise.all([approve(id), approve(id, { decidedBy: 'Sam Okafor' })])
    expect(both.map(({ statusCode }) => statusCode)).toEqual([303, 303])
    expect((await approve(id)).statusCode).toBe(303)
    expect((await authorizationsOf(id)).length).toBe(2)
    expect((await listEmails()).length).toBe(1)
  })

  it.each(['0', '29999', '30001', '', '1e4', '-5'])(
    'is refused if the form contains %j instead of the estimate total, and the page shows the correct amount',
    async (shown) => {
      const { id } = await createSentEstimate()
      const response = await approve(id, { shown })
      expect(response.statusCode).toBe(409)
      expect(response.body).toContain(
        'The jobs you chose cost $300.00. Please review this total, then approve.',
      )
      expect(response.body).toMatch(/name="shown"\s+value="30000"/)
      expect(response.body).toContain('value="Maria Delgado"')
      expect(await authorizationsOf(id)).toEqual([])
      expect(await listEmails()).toEqual([])
    },
  )

  it('without JavaScript is recorded only after the page displayed the total of the changed job selection', async () => {
    const { id } = await createSentEstimate()
    const chosen = { [`job-${later}`]: 'approve' }
    const approval = await approve(id, chosen)
    expect(approval.body).toContain('Approve $350.00')
    expect((await approve(id, { ...chosen, shown: '35000' })).statusCode).toBe(303)
    expect((await estimateClient.sentRevision(id)).authorizedCents).toBe(35_000)
  })

  it('of an old revision is refused, and the page shows the new revision', async () => {
    const { id, path } = await createSentEstimate()
    const { revisionHash: revision } = await estimateClient.sentRevision(id)
    await estimateClient.save(id, estimateDocument([priced(31_000, needed), priced(100)]))
    await estimateClient.freeze(id)
    const response = await approve(id, { revision })
    expect(response.statusCode).toBe(409)
    expect(response.body).toContain('The shop changed this estimate. Please review it again.')
    expect(response.body).toContain('Approve $311.00')
    expect(response.body).toContain('value="Maria Delgado"')
    const declined = await post(`${path}/decline`, { revision })
    expect(declined.body).toContain('The shop changed this estimate. Please review it again.')
    expect(await authorizationsOf(id)).toEqual([])
  })

  it('without a name is refused, and the page still shows the customer’s selection of jobs', async () => {
    const { id } = await createSentEstimate()
    const response = await approve(id, {
      decidedBy: '  ',
      [`job-${later}`]: 'approve',
      shown: '35000',
      'parts-back': 'yes',
    })
    expect(response.statusCode).toBe(422)
    expect(response.body).toContain('Please type your name.')
    expect(response.body).toContain('Approve $350.00')
    expect(response.body).toMatch(/name="parts-back" checked="" value="yes"/)
    expect(await authorizationsOf(id)).toEqual([])
  })

  it('is stored with a name without invisible characters, and is refused if the name has no other characters', async () => {
    const { id } = await createSentEstimate()
    for (const decidedBy of ['\u200b', '\u202e\u00ad', '\u0007', '\u0000']) {
      expect((await approve(id, { decidedBy })).statusCode).toBe(422)
    }
    // The typed name contains an invisible character (word joiner), as if it was copied from an email. Such a
    // character prevents a mail program from showing 'J.R' as a link.
    expect((await approve(id, { decidedBy: 'J.\u2060R. Delgado' })).statusCode).toBe(303)
    const lines = await authorizationsOf(id)
    expect(lines.map(([, , decidedBy]) => decidedBy)).toEqual(['J.R. Delgado', 'J.R. Delgado'])
  })

  it('is accepted until midnight of the last valid day in the shop time zone, and refused afterwards', async () => {
    const { id } = await createSentEstimate()
    await setShopClock(shop.database.owner, '2026-12-09T08:00:00Z')
    const late = await approve(id)
    expect(late.statusCode).toBe(409)
    expect(late.body).toContain('This estimate has expired')
    expect(await authorizationsOf(id)).toEqual([])
    await setShopClock(shop.database.owner, '2026-12-09T07:59:59Z')
    expect((await approve(id)).statusCode).toBe(303)
    expect((await authorizationsOf(id)).length).toBe(2)
  })

  it('without any selected job shows a page that asks whether to decline the whole estimate', async () => {
    const { id, path } = await createSentEstimate()
    const approval = await approve(id, { [`job-${needed}`]: 'wait', shown: '0' })
    expect([approval.statusCode, await authorizationsOf(id)]).toEqual([200, []])
    expect(approval.body).toContain('Decline this estimate?')
    const { revisionHash: revision } = await estimateClient.sentRevision(id)
    expect((await post(`${path}/decline`, { revision })).statusCode).toBe(303)
    expect((await authorizationsOf(id)).map(([decision]) => decision)).toEqual([
      'declined',
      'declined',
    ])
    expect((await openPage(path)).body).toContain('You declined this estimate')
    expect(await listEmails()).toEqual([])
    expect((await approve(id)).statusCode).toBe(303)
    expect((await estimateClient.sentRevision(id)).authorizedCents).toBe(0)
  })

  it('of additional work names the revised total', async () => {
    const { id } = await createSentEstimate()
    await approve(id)
    const more = randomUUID()
    await estimateClient.save(id, estimateDocument([...two().jobs, priced(8000, more)]))
    await estimateClient.freeze(id)
    const page = (await openPage(await estimateClient.path(id))).body
    expect(page).toContain('Approve $380.00')
    expect((await approve(id, { [`job-${more}`]: 'approve', shown: '38000' })).statusCode).toBe(303)
    expect((await estimateClient.sentRevision(id)).authorizedCents).toBe(38_000)
    expect((await listEmails()).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('You approved up to $300.00'),
      expect.stringContaining('You approved up to $380.00'),
    ])
  })

  it('is required again when the work of a job changes, even at the same price', async () => {
    const { id, path } = await createSentEstimate(estimateDocument([priced(30_000, needed)]))
    await estimateClient.record(id, { [needed]: 'approved' })
    await estimateClient.save(
      id,
      estimateDocument([{ ...priced(30_000, needed), title: 'Rear brakes' }]),
    )
    await estimateClient.freeze(id)
    const page = (await openPage(path)).body
    expect(page).toContain(`name="job-${needed}"`)
    expect(page).toContain('You already approved $300.00. The work is new.')
    expect((await approve(id)).statusCode).toBe(303)
    const { authorizations, state } = await estimateClient.sentRevision(id)
    expect(authorizations.map(({ revision, jobTitle }) => [revision, jobTitle])).toEqual([
      [1, 'Front brakes'],
      [2, 'Rear brakes'],
    ])
    expect(state).toBe('decided')
  })

  it('never results in a total that differs from the displayed total, even when staff record a decision at the same time', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { id } = await createSentEstimate()
      const [response] = await Promise.all([
        approve(id, { [`job-${later}`]: 'approve', shown: '35000' }),
        estimateClient.record(id, { [later]: 'declined' }).catch(() => undefined),
      ])
      const { authorizedCents } = await estimateClient.sentRevision(id)
      expect(authorizedCents).toBe(response.statusCode === 303 ? 35_000 : 0)
    }
  })

  it('is either recorded for the old revision or refused when staff send a new revision at the same time', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { id } = await createSentEstimate()
      await estimateClient.save(id, estimateDocument([priced(90_000, needed)]))
      const [response] = await Promise.all([
        approve(id),
        estimateClient.freeze(id).catch(() => undefined),
      ])
      const { authorizedCents, authorizations } = await estimateClient.sentRevision(id)
      expect([authorizedCents, authorizations[0]?.revision]).toEqual(
        response.statusCode === 303 ? [30_000, 1] : [0, undefined],
      )
    }
  })

  it('sends the owner a notice if the shop has enabled notices about decisions', async () => {
    await shop.database.owner.query('update public.booking_rules set notify_shop_of_changes = true')
    const { id } = await createSentEstimate()
    await approve(id)
    expect((await listEmails()).map(({ kind, subject }) => [kind, subject])).toEqual([
      ['estimate_approved', expect.any(String)],
      ['owner_notice', expect.stringMatching(/^Maria Delgado approved 1 of 2 jobs: estimate E-/)],
    ])
  })
})

describe('an invalid link to an estimate', () => {
  it('gets the same page for every kind of invalid token, for a view and for a decision', async () => {
    const { id, path } = await createSentEstimate()
    const token = path.slice(10)
    const wrong = [
      token.slice(0, -1),
      `${token.slice(0, -2)}${token.at(-2) === 'A' ? 'B' : 'A'}${token.at(-1)}`,
      randomBytes(32).toString('base64url'),
      'a'.repeat(43),
      'short',
    ]
    await shop.database.owner.query(
      'update public.estimates set link_version = link_version + 1 where id = $1',
      [id],
    )
    for (const each of [token, ...wrong]) {
      const [shown, acted] = [
        await openPage(`/estimate/${each}`),
        await post(`/estimate/${each}/approve`, {}),
      ]
      expect([shown.statusCode, acted.statusCode]).toEqual([404, 404])
      expect(shown.body).toContain('This link is not valid.')
    }
    expect((await openPage(await estimateClient.path(id))).statusCode).toBe(200)
  })

  it('is refused for each of a thousand guessed signatures', async () => {
    const { id } = await createSentEstimate()
    const real = Buffer.from(id.replaceAll('-', ''), 'hex')
    const guess = async (nth: number) => {
      const token = Buffer.concat([real, randomBytes(16)]).toString('base64url')
      const remoteAddress = `198.51.${nth >> 6}.${nth & 63}`
      return (await shop.inject({ url: `/estimate/${token}`, remoteAddress })).statusCode
    }
    const statuses = new Set<number>()
    for (let first = 0; first < 1000; first += 20) {
      const some = Array.from({ length: 20 }, (_, nth) => guess(first + nth))
      for (const status of await Promise.all(some)) statuses.add(status)
    }
    expect([...statuses]).toEqual([404])
  })
})
