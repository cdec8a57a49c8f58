import { afterAll, beforeAll, expect, it } from 'vitest'
import { asServer } from '#server/platform/database/identities.ts'
import { emailKinds } from '#emails/email-kinds.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts'

let shop: TestDatabase
beforeAll(async () => {
  shop = await createTestDatabase()
})
afterAll(() => shop.drop())

it('the table internal.email_kinds and the file emails/email-kinds.ts list the same email kinds with the same rules', async () => {
  const { rows } = await shop.owner.query(
    `select kind, is_retried as "isRetried", is_visitor_triggered as "isConfirmation", must_match as "agreesWith",
       is_sent_at_night as "isSentAtNight"
     from internal.email_kinds order by kind collate "C"`,
  )
  const kinds = Object.entries(emailKinds).map(
    ([kind, { isRetried, isConfirmation, agreesWith, isSentAtNight }]) => ({
      kind,
      isRetried,
      isConfirmation,
      agreesWith,
      isSentAtNight,
    }),
  )
  expect(rows).toEqual(kinds.toSorted((a, b) => (a.kind < b.kind ? -1 : 1)))
})

const message = (kind: string) => ({
  kind,
  dedupe_key: kind,
  recipient_email: 'dana@example.com',
  recipient_name: 'Dana',
  subject: 'Hello',
  html_body: '<p>Hello</p>',
  text_body: 'Hello',
  attachments: [],
})

it.each(Object.entries(emailKinds))(
  'a visitor can queue an email of the kind %s only if the kind is a confirmation',
  async (kind, { isConfirmation }) => {
    const queued = shop.database.transaction(asServer, (query) =>
      query.unchecked('select public.queue_visitor_email($1) as id', [message(kind)]),
    )
    if (isConfirmation) expect(await queued).toEqual([{ id: expect.any(String) }])
    else await expect(queued).rejects.toMatchObject({ code: '22023' })
  },
)
