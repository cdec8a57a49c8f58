import { describe, expect, it, vi } from 'vitest'
import { createTestClient } from '#tests/support/app/app.ts'
import {
  dana,
  hostForTests,
  type HostedFunction,
  makeQuoteRequest,
  messageOf,
} from './hosted-function.ts'
import { isLong } from '#tests/long/test-size.ts'
import {
  sendRequest,
  book,
  confirmBooking,
  confirmQuote,
  readServices,
  type Service,
  type Slot,
  upcomingSlots,
  type VisitorClient,
} from '#tests/long/support/visitor-client.ts'

const name = 'send-confirmation-email'
const sent = { status: 200, code: '' }
const notSent = { status: 502, code: '' }
/**
 * The email address in the quote requests. The bookings contain another email address, because `visitor-client.ts`
 * keeps only the last form token of each email address.
 */
const lee = 'lee@example.com'

describe.skipIf(!isLong)(`${name} under Deno (npm run test:long downloads Deno)`, () => {
  let hosted: HostedFunction
  let service: Service
  let slot: Slot
  hostForTests(name, async (fresh) => {
    hosted = fresh
    service = (await readServices(hosted.site))[0] as Service
    slot = upcomingSlots(service.duration_minutes)[0] as Slot
    // Disables the trigger that protects open bookings, so that the cleanup after each test can delete them.
    await hosted.run('alter table public.bookings disable trigger t10_prevent_open_booking_delete')
  })

  const bookSlot = async () => {
    expect(await book(hosted.site, service, slot, dana)).toMatchObject({ status: 201 })
    return (client: VisitorClient, email = dana) => confirmBooking(client, service, slot, email)
  }

  it('sends the confirmation of a recent booking once for repeated requests', async () => {
    const confirm = await bookSlot()
    const responses = await Promise.all([1, 2, 3].map(() => confirm(hosted)))
    expect([...responses, await confirm(hosted)]).toEqual([sent, sent, sent, sent])
    expect(hosted.resend.accepted).toHaveLength(1)
    expect(hosted.resend.accepted[0]).toMatchObject({
      apiKey: 're_deno',
      message: { to: [dana], attachments: [{ filename: expect.stringMatching(/\.ics$/) }] },
    })
    expect(await hosted.run('select status, last_error from emails')).toEqual([
      { status: 'sent', last_error: null },
    ])
  })

  it('sends the same email as the shop’s own process', async () => {
    const requests = [await bookSlot(), await makeQuoteRequest(hosted, lee)]
    // Removes the flags of the spam check, because the emails about unflagged forms have the longest texts.
    await hosted.run(`update bookings set flagged_reasons = '{}'`)
    await hosted.run(`update quote_requests set flagged_reasons = '{}'`)
    for (const request of requests) {
      expect(await messageOf(hosted, () => request(hosted))).toEqual(
        await messageOf(hosted, () => request(hosted.site)),
      )
    }
  })

  it('sends nothing to an email address without a booking or a quote request', async () => {
    const confirm = await bookSlot()
    for (const email of ['victim@example.net', '%', 'dan_@example.com']) {
      expect(await confirm(hosted, email)).toEqual(notSent)
    }
    expect(await confirmQuote(hosted, dana, 'Anything.')).toEqual(notSent)
    expect([hosted.resend.accepted, await hosted.run('select from emails')]).toEqual([[], []])
  })

  it.each([
    ['old', `created_at = now() - interval '16 minutes'`],
    ['automated', `flagged_reasons = '{hidden_field_filled}'`],
    ['cancelled', `status = 'cancelled'`],
  ])('sends nothing about a booking or quote request that is %s', async (what, change) => {
    const requests = [await bookSlot(), await makeQuoteRequest(hosted, lee)]
    await hosted.run(`update bookings set ${change}`)
    if (what === 'cancelled') requests.pop()
    else await hosted.run(`update quote_requests set ${change}`)
    for (const request of requests) expect(await request(hosted)).toEqual(notSent)
    expect(hosted.resend.accepted).toEqual([])
  })

  it('sends nothing for a client that did not send the form', async () => {
    const confirm = await bookSlot()
    await hosted.run(`update internal.form_origins set token_digest = sha256('another')`)
    expect(await confirm(hosted)).toEqual(notSent)
    expect([hosted.resend.accepted, await hosted.run('select from emails')]).toEqual([[], []])
  })

  it('limits the emails to one mailbox per hour, regardless of the spelling of the email address', async () => {
    const confirm = await bookSlot()
    await hosted.run(`insert into internal.visitor_emails (dedupe_key, mailbox_digest, is_flagged)
      select n::text, sha256(convert_to(internal.normalize_mailbox('Dana+x@Example.com'), 'UTF8')), false
      from generate_series(1, 10) n`)
    expect(await confirm(hosted)).toEqual(notSent)
    expect(hosted.resend.accepted).toEqual([])
  })

  it.each(['is-overloaded', 'hangs-up'] as const)(
    'leaves the message in the outbox for the shop’s own process when Resend %s',
    async (mood) => {
      const confirm = await bookSlot()
      hosted.resend.setMood(mood)
      expect(await confirm(hosted)).toEqual(notSent)
      const [row] = await hosted.run('select status, attempts, leased_until from emails')
      expect(row).toEqual({ status: 'retrying', attempts: 1, leased_until: null })
      hosted.resend.setMood('takes')
      await hosted.run('update emails set next_attempt_at = now()')
      await sendRequest(hosted.site, 'GET', '/api/form-token')
      await vi.waitFor(() => expect(hosted.resend.accepted).toHaveLength(1), 10_000)
      // The second attempt sends the same message with the same idempotency key, by which Resend would recognize a
      // message that it has already accepted.
      const [failed] = hosted.resend.refused
      expect(hosted.resend.accepted).toEqual([{ ...failed, apiKey: 're_shop' }])
    },
  )

  it('allows cross-origin calls with all headers that the site’s client sends', async () => {
    const headers: string[] = []
    const page = createTestClient('https://project.example', 'the.anon.key')
    vi.spyOn(globalThis, 'fetch').mockImplementationOnce(async (input, init) => {
      headers.push(...new Request(input, init).headers.keys())
      return Response.json({})
    })
    await page.functions.invoke(name, { body: {} })
    vi.restoreAllMocks()
    expect(headers).toContain('authorization')
    const response = await fetch(hosted.url, { method: 'OPTIONS' })
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([
      204,
      '*',
    ])
    const allowed = response.headers.get('access-control-allow-headers')?.split(', ')
    expect(allowed).toEqual(expect.arrayContaining(headers))
  })

  it('logs the reason of a failure, without returning it to the caller', async () => {
    const request = await makeQuoteRequest(hosted)
    expect(hosted.output()).toBe('')
    await hosted.run('revoke select on public.quote_requests from service_role')
    expect(await request(hosted)).toEqual({ status: 500, code: '' })
    await hosted.run('grant select on public.quote_requests to service_role')
    expect(hosted.output()).toBe(`${name} failed Error: The database refused: 42501\n`)
  })
})
