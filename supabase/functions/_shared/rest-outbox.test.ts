import { randomUUID } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import type { ShopEmail } from '../../../emails/layout/shop-email.ts'
import { createTestApp, createTestClient } from '../../../tests/support/app/app.ts'
import { startHostedDataService } from '../../../tests/support/app/hosted-data-service.ts'
import { sendReply } from './rest-outbox.ts'

afterEach(() => vi.restoreAllMocks())

const quoteRequestId = randomUUID()
const reply: ShopEmail = {
  kind: 'quote_reply',
  dedupeKey: 'quote_reply:1',
  to: { email: 'dana@example.com', name: 'Dana Whitfield' },
  subject: 'Your quote',
  html: '<p>About $280.</p>',
  text: 'About $280.',
  attachments: [],
  quoteRequestId,
}
const log = {
  recipient_name: 'Dana',
  subject: reply.subject,
  original_draft: reply.text,
  polished_draft: null,
  final_body: reply.text,
  vehicle_info: '',
}

test('two simultaneous clicks on the button Send send one email with Resend, and both get the same result', async () => {
  const shop = await createTestApp({ config: { rateLimits: 'off' } })
  const hosted = await startHostedDataService(shop)
  try {
    await shop.database.owner.query(
      `insert into public.quote_requests (id, name, email, vehicle_year, vehicle_make, vehicle_model, description)
       values ($1, 'Dana', 'dana@example.com', '2019', 'Subaru', 'Outback', 'It squeaks.')`,
      [quoteRequestId],
    )
    const client = createTestClient(hosted.url, hosted.serviceKey)
    // Intercepts only requests to Resend, the email provider; all other requests go to the REST API of the test.
    const { fetch } = globalThis
    let requestCount = 0
    let resendStatus: Promise<number>
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      if (input !== 'https://api.resend.com/emails') return fetch(input, init)
      requestCount += 1
      return Response.json({}, { status: await resendStatus })
    })
    const click = () => sendReply(client, () => 'a setting', reply, log)
    const outcomeOfStatus = async (status: number) => {
      const { promise, resolve: respond } = Promise.withResolvers<number>()
      resendStatus = promise
      requestCount = 0
      const clicks = [click(), click()]
      await vi.waitFor(() => expect(requestCount).toBe(1), 10_000)
      respond(status)
      return Promise.all(clicks)
    }
    // When Resend responds with status 503, both calls of `sendReply` return false; with status 200, both return true.
    expect(await outcomeOfStatus(503)).toEqual([false, false])
    expect(await outcomeOfStatus(200)).toEqual([true, true])
    const { rows } = await shop.database.owner.query('select status, last_error from emails')
    expect(rows).toEqual([{ status: 'sent', last_error: null }])
  } finally {
    await hosted.close()
    await shop.close()
  }
})
