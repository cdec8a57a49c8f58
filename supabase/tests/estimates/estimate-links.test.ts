import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asServer } from '#server/platform/database/identities.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { createEstimateClient } from '#tests/support/estimates/estimate-client.ts'
import { estimateDocument, estimateJob } from '#tests/support/estimates/estimates.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import {
  addService,
  admin,
  bookingRow,
  insertRow,
  refusalTo,
  fixtureClock,
  signedInStranger,
  visitor,
} from '#tests/support/database/database-fixtures.ts'

let shop: TestDatabase
let estimateClient: ReturnType<typeof createEstimateClient>
let serviceId: string
beforeAll(async () => {
  shop = await createTestDatabase()
  estimateClient = createEstimateClient(shop)
  serviceId = await addService(shop, 'Story, 60 minutes', 60)
})
afterAll(() => shop.drop())
beforeEach(() => setShopClock(shop.owner, fixtureClock))

const changeSql = 'public.change_estimate_email($1, $2, $3, $4)'
const change = async (id: string, email: string, reason: 'new_address' | 'wrong_recipient') =>
  estimateClient.call(admin, changeSql, [id, await estimateClient.version(id), email, reason])
const decide = async (id: string, approved: string[]) =>
  estimateClient.call<string>(
    asServer,
    `internal.decide_estimate($1, $2, $3, 'Mario Delgado', '', false)`,
    [id, (await estimateClient.sentRevision(id)).revisionHash, approved],
  )

/** Creates an estimate that was sent to an email address that is not the customer's. */
async function sent(source: object = {}, oldEmail = `${randomUUID()}@example.com`) {
  const [job, other] = [estimateJob(), estimateJob({ title: 'Coolant flush' })]
  const customer = { name: 'Maria Delgado', email: oldEmail, phone: '(650) 555-0167' }
  const id = await estimateClient.write(estimateDocument([job, other], { customer }), source)
  await estimateClient.freeze(id)
  return { id, jobKey: job.key, oldEmail, newEmail: `${randomUUID()}@example.com` }
}

describe('A changed email address of a sent estimate', () => {
  it('invalidates the link and keeps the state of the estimate, which shows the address to which it was sent', async () => {
    const { id, oldEmail, newEmail } = await sent()
    const path = await estimateClient.path(id)
    await change(id, newEmail, 'new_address')
    expect(await estimateClient.path(id)).not.toBe(path)
    expect(await estimateClient.read(id)).toMatchObject({
      state: 'sent',
      sentTo: oldEmail,
      revision: 1,
    })
    expect((await estimateClient.sentRevision(id)).customerEmail).toBe(newEmail)
    expect((await estimateClient.read(id)).history).toMatchObject([
      { kind: 'address_changed', before: { email: oldEmail }, after: { email: newEmail } },
    ])
    await estimateClient.freeze(id)
    expect(await estimateClient.read(id)).toMatchObject({
      state: 'sent',
      sentTo: newEmail,
      revision: 1,
    })
  })

  it('invalidates the link, whether a save or a direct UPDATE changed the address', async () => {
    const { id, newEmail } = await sent()
    const path = await estimateClient.path(id)
    const { document } = await estimateClient.read(id)
    await estimateClient.save(id, {
      ...document,
      customer: { ...document.customer, email: newEmail },
    })
    const second = await estimateClient.path(id)
    expect(second).not.toBe(path)
    await shop.owner.query(
      `update public.estimates set customer_email = 'x@example.com' where id = $1`,
      [id],
    )
    expect(await estimateClient.path(id)).not.toBe(second)
  })

  it('keeps the link valid when only upper and lower case change; for an unsent draft, any change keeps the link valid', async () => {
    const draft = await estimateClient.write()
    const before = await estimateClient.path(draft)
    await change(draft, 'maria.d@example.com', 'new_address')
    expect(await estimateClient.path(draft)).toBe(before)
    const { id, oldEmail } = await sent()
    const path = await estimateClient.path(id)
    await change(id, oldEmail.toUpperCase(), 'new_address')
    expect(await estimateClient.path(id)).toBe(path)
  })

  it('keeps the decisions when the customer gets a new address, even the address of another customer', async () => {
    const { id: otherId, oldEmail: existingEmail } = await sent()
    const { id, jobKey } = await sent()
    await decide(id, [jobKey])
    const { authorizedCents } = await estimateClient.read(id)
    await change(id, existingEmail, 'new_address')
    expect(await estimateClient.read(id)).toMatchObject({ authorizedCents, state: 'approved' })
    expect((await estimateClient.read(otherId)).state).toBe('sent')
    expect(await estimateClient.bill(id)).toMatchObject({ customer: { email: existingEmail } })
  })

  it('withdraws each decision that was made with the old link if staff state that the old address was wrong', async () => {
    const { id, jobKey, oldEmail, newEmail } = await sent()
    await decide(id, [jobKey])
    expect((await estimateClient.read(id)).state).toBe('approved')
    await change(id, newEmail, 'wrong_recipient')
    const after = await estimateClient.read(id)
    expect(after).toMatchObject({
      authorizedCents: 0,
      state: 'sent',
      decidedAt: null,
      seenAt: null,
    })
    expect(after.authorizations.slice(2)).toMatchObject(
      ['Front brakes', 'Coolant flush'].map((jobTitle) => ({
        jobTitle,
        decision: 'withdrawn',
        method: 'shop',
        statement: 'withdrawn: wrong recipient',
        contact: oldEmail,
        recordedBy: 'ana',
        runningTotalCents: 0,
      })),
    )
    expect(after.authorizations.map(({ voidBecause }) => voidBecause)).toEqual(
      Array.from({ length: 4 }, () => 'wrong_recipient'),
    )
    expect(await estimateClient.refusalToBill(id)).toMatchObject({
      code: 'TT072',
      hint: 'approval_void',
    })
    expect(await estimateClient.sentRevision(id)).toMatchObject({
      state: 'open',
      authorizations: [],
    })
    expect(await decide(id, [jobKey])).toBe('approved')
    expect((await estimateClient.read(id)).authorizedCents).toBeGreaterThan(0)
  })

  it('keeps approvals by phone, at their prices', async () => {
    const { id, jobKey, newEmail } = await sent()
    await estimateClient.record(id, { [jobKey]: 'approved' })
    const { authorizedCents } = await estimateClient.read(id)
    await decide(id, [])
    await change(id, newEmail, 'wrong_recipient')
    const after = await estimateClient.read(id)
    expect(after.authorizedCents).toBe(authorizedCents)
    expect(after.authorizations.at(-1)?.runningTotalCents).toBe(authorizedCents)
  })

  it('is refused if the admin gives no reason, if the invoice was already created, and for every other role', async () => {
    const { id, jobKey, newEmail } = await sent()
    const refusal = async (reason: string | null, identity = admin) => {
      const version = await estimateClient.version(id)
      return refusalTo(shop.database, identity, (query) =>
        query.unchecked(`select ${changeSql}`, [id, version, newEmail, reason]),
      )
    }
    expect(await refusal(null)).toMatchObject({ code: '22023' })
    for (const identity of [visitor, signedInStranger, asServer]) {
      expect(await refusal('new_address', identity)).toMatchObject({ code: '42501' })
    }
    await decide(id, [jobKey])
    await estimateClient.bill(id)
    for (const reason of ['new_address', 'wrong_recipient']) {
      expect(await refusal(reason)).toMatchObject({ code: 'TT075', hint: 'already_invoiced' })
    }
  })

  it('removes the estimate from the visit page of the appointment that was booked with the old address', async () => {
    const { bookingId, email } = await booked('13:30:00')
    const { id, newEmail } = await sent({ bookingId }, email)
    const shown = () =>
      estimateClient.call<{ estimateId: string | null }>(
        asServer,
        'internal.read_visit_page_repair($1)',
        [bookingId],
      )
    expect((await shown()).estimateId).toBe(id)
    await change(id, newEmail, 'wrong_recipient')
    expect((await shown()).estimateId).toBeNull()
    await change(id, email, 'new_address')
    expect((await shown()).estimateId).toBe(id)
  })
})

async function booked(time: string) {
  const email = `${randomUUID()}@example.com`
  await shop.database.transaction(visitor, (query) =>
    insertRow(
      query,
      'bookings',
      bookingRow(serviceId, {
        appointment_time: time,
        customer_email: email,
        customer_phone: `555-01${time.slice(0, 2)}`,
      }),
    ),
  )
  const { rows } = await shop.owner.query(
    'select id from public.bookings where customer_email = $1',
    [email],
  )
  return { bookingId: rows[0].id as string, email }
}

describe('A new link to an estimate', () => {
  const visitPath = (id: string) =>
    estimateClient.call<string>(admin, 'public.read_visit_page_link($1)', [id])

  it.each([
    ['the estimate', 'public.read_estimate_link($1, true)', '15:00:00', 'id'],
    ['the appointment', 'public.read_visit_page_link($1, true)', '16:30:00', 'bookingId'],
  ] as const)(
    'for %s invalidates all older links of the estimate and the appointment',
    async (_what, sql, time, key) => {
      const { bookingId, email } = await booked(time)
      const { id } = await sent({ bookingId }, email)
      const before = new Set([await estimateClient.path(id), await visitPath(bookingId)])
      const made = await estimateClient.call<string>(admin, sql, [{ id, bookingId }[key]])
      const after = [await estimateClient.path(id), await visitPath(bookingId)]
      expect(after).toContain(made)
      expect(after.filter((path) => before.has(path))).toEqual([])
      expect((await estimateClient.read(id)).history.map(({ kind }) => kind)).toEqual(['relinked'])
      expect((await estimateClient.read(id)).state).toBe('sent')
    },
  )

  it('can be read by the admin only, and reading it invalidates no link', async () => {
    const { id } = await sent()
    const path = await estimateClient.path(id)
    expect(await estimateClient.call(admin, 'public.read_estimate_link($1)', [id])).toBe(path)
    expect(await estimateClient.path(id)).toBe(path)
    for (const identity of [visitor, signedInStranger, asServer]) {
      const refused = await refusalTo(shop.database, identity, (query) =>
        query.unchecked('select public.read_estimate_link($1, true)', [id]),
      )
      expect(refused.code).toBe('42501')
    }
  })
})
