import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { writeOwnerNotice } from '#emails/setup/owner-notice.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import { refusalTo } from '#tests/support/database/database-fixtures.ts'
import { collectOwnerNotices } from './collect-owner-notices.ts'
import { queueEmail } from '../outbox/queue-email.ts'
import { queueOwnerNotice } from './queue-owner-notice.ts'
import { deleteOldVisitorEmails } from '../outbox/delete-old-visitor-emails.ts'

const owner = { currentShop: () => defaultShop, ownerEmail: 'owner@shop.example' }

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
})
afterAll(() => shop.drop())
beforeEach(() => shop.owner.query(truncateTables('public.emails', 'internal.owner_notices')))

const noticeOf = (nth: number) =>
  writeOwnerNotice(owner, {
    key: `story:${nth}`,
    line: `A customer cancelled an appointment: ${nth}`,
    subject: `Dana cancelled visit ${nth}`,
    preview: '',
    heading: 'Dana cancelled an appointment',
    parts: [{ kind: 'paragraph', text: 'Dana cancelled it.' }],
    reason: 'You are the owner.',
  })
const notify = (nth: number) =>
  shop.database.transaction(asServer, (query) => queueOwnerNotice(query, noticeOf(nth)))
const collect = () => collectOwnerNotices(shop.database, owner)
const tenMinutesLater = () =>
  shop.owner.query(`update internal.owner_notices
    set noted_at = noted_at - interval '10 minutes', notified_at = notified_at - interval '10 minutes'`)
type Sent = { subject: string; to: string; text: string }
const emails = async () =>
  (
    await shop.owner.query<Sent>(
      `select subject, recipient_email as to, text_body as text from public.emails order by created_at, subject`,
    )
  ).rows

describe('notices to the owner', () => {
  it('are sent immediately if the owner received none in the last ten minutes', async () => {
    await notify(1)
    expect(await emails()).toMatchObject([
      { subject: 'Dana cancelled visit 1', to: 'owner@shop.example' },
    ])
    await tenMinutesLater()
    await notify(2)
    expect(await emails()).toHaveLength(2)
  })

  it('are sent as one combined email after ten minutes when thirty notices arrive together', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, nth) => notify(nth)))
    expect(await emails()).toHaveLength(1)
    expect(await collect()).toBe(0)
    expect(await emails()).toHaveLength(1)
    await tenMinutesLater()
    expect(await Promise.all([collect(), collect()])).toEqual(expect.arrayContaining([29, 0]))
    const [first, collected, ...more] = await emails()
    expect(more).toEqual([])
    expect(collected?.subject).toBe('29 notices from your shop')
    expect(collected?.text.match(/A customer cancelled an appointment: \d+/g)).toHaveLength(29)
    const count = Number(/\d+$/.exec(first?.subject ?? '')?.[0])
    expect(collected?.text).not.toMatch(new RegExp(`: ${count}\\n`))
  })

  it('are sent as one combined email every ten minutes while more notices arrive', async () => {
    for (let round = 0; round < 3; round += 1) {
      for (let nth = 0; nth < 5; nth += 1) await notify(round * 5 + nth)
      await collect()
      await tenMinutesLater()
    }
    await collect()
    expect(await collect()).toBe(0)
    expect((await emails()).map(({ subject }) => subject)).toEqual([
      'Dana cancelled visit 0',
      '9 notices from your shop',
      'Dana cancelled visit 10',
      '4 notices from your shop',
    ])
  })

  it('wait for the next combined email if earlier notices are waiting, even if the last email is ten minutes old', async () => {
    await notify(1)
    await notify(2)
    await tenMinutesLater()
    await notify(3)
    expect(await emails()).toHaveLength(1)
    await collect()
    expect((await emails()).map(({ subject }) => subject)).toContain('2 notices from your shop')
  })

  it('are sent once when several have the same dedupe key', async () => {
    await notify(1)
    await notify(1)
    await tenMinutesLater()
    await notify(1)
    expect(await collect()).toBe(0)
    expect(await emails()).toHaveLength(1)
  })

  it('contain no customer data, neither in the queue nor in the combined email', async () => {
    await notify(1)
    await notify(2)
    const { rows } = await shop.owner.query<{ row: string }>(
      'select row::text from internal.owner_notices row',
    )
    for (const { row } of rows) expect(row).not.toMatch(/Dana/)
    await tenMinutesLater()
    await collect()
    expect((await emails()).at(-1)?.text).not.toMatch(/Dana/)
  })

  it('are limited to fifty in a combined email, which states the number of omitted notices', async () => {
    for (let nth = 0; nth < 61; nth += 1) await notify(nth)
    await tenMinutesLater()
    await collect()
    const collected = (await emails()).at(-1)
    expect(collected?.subject).toBe('60 notices from your shop')
    expect(collected?.text.match(/A customer cancelled/g)).toHaveLength(50)
    expect(collected?.text).toContain('And 10 more.')
  })

  it('cannot be queued as an ordinary email that bypasses the limit of one email in ten minutes', async () => {
    await notify(1)
    const { ownerNotice: _line, ...email } = noticeOf(2)
    const refusal = await refusalTo(shop.database, asServer, (query) => queueEmail(query, email))
    expect(refusal.code).toBe('22023')
  })

  it('are deleted after a month', async () => {
    await notify(1)
    await shop.owner.query(
      `update internal.owner_notices set notified_at = now() - interval '31 days'`,
    )
    await deleteOldVisitorEmails(shop.database)
    const { rows } = await shop.owner.query('select from internal.owner_notices')
    expect(rows).toEqual([])
  })
})
