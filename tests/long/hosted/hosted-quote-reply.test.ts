import type { SupabaseClient } from '@supabase/supabase-js'
import { describe, expect, it } from 'vitest'
import type { QuoteEmailRequest } from '#contracts/api/server-functions.ts'
import { publicAnonKey } from '#server/config.ts'
import { importJwtKey, signJwt } from '@local/data-service'
import { staffEmail } from '#server/features/admin-session/gateway/auth-gateway.ts'
import { createTestClient, testAdmin } from '#tests/support/app/app.ts'
import {
  dana,
  hostForTests,
  type HostedFunction,
  makeQuoteRequest,
  messageOf,
} from './hosted-function.ts'
import { isLong } from '#tests/long/test-size.ts'
import { sendRequest, type VisitorClient } from '#tests/long/support/visitor-client.ts'

const name = 'send-quote-email'

describe.skipIf(!isLong)(`${name} under Deno (npm run test:long downloads Deno)`, () => {
  let hosted: HostedFunction
  let visitor: SupabaseClient
  hostForTests(name, async (fresh) => {
    hosted = fresh
    visitor = createTestClient(hosted.site.url, publicAnonKey)
    await hosted.run(`insert into auth.users (email, encrypted_password, raw_app_meta_data)
      select 'somebody@example.com', encrypted_password, '{}' from auth.users`)
  })

  const tokenOf = async (email: string) => {
    const { password } = testAdmin
    const { data } = await visitor.auth.signInWithPassword({ email, password })
    return data.session?.access_token ?? ''
  }
  const requestReply = async (): Promise<QuoteEmailRequest> => {
    await makeQuoteRequest(hosted)
    const [request] = (await hosted.run('select id from quote_requests')) as { id: string }[]
    return {
      quoteRequestId: request?.id ?? '',
      recipientEmail: dana,
      recipientName: 'Dana Whitfield',
      subject: 'Quote for Brake Service – 2019 Subaru Outback',
      originalDraft: 'Hello Dana, about $300.',
      polishedDraft: null,
      finalBody: 'Hello Dana,\n\nabout $280 <all included>.\n\nAna',
      vehicleInfo: '2019 Subaru Outback',
    }
  }
  const send = (client: VisitorClient, reply: QuoteEmailRequest, token: string) =>
    sendRequest(client, 'POST', '/functions/v1/send-quote-email', reply, {
      ...(token && { authorization: `Bearer ${token}` }),
    })
  const readHistory = async () => [
    ...(await hosted.run('select status from quote_requests')),
    ...(await hosted.run('select status from emails')),
    ...(await hosted.run(
      'select final_body, sent_at is not null as has_time from quote_email_logs',
    )),
  ]

  it('refuses a caller who is not an admin', async () => {
    const reply = await requestReply()
    const claims = { role: 'authenticated', app_metadata: { role: 'admin' }, exp: 4_000_000_000 }
    const signed = await signJwt(claims, await importJwtKey('another key'))
    const unsigned = signed.slice(0, signed.lastIndexOf('.') + 1)
    const forged = [unsigned, signed, hosted.serviceKey]
    for (const token of ['', publicAnonKey, ...forged]) {
      expect((await send(hosted, reply, token)).status).toBe(401)
    }
    const otherToken = await tokenOf('somebody@example.com')
    expect((await send(hosted, reply, otherToken)).status).toBe(403)
    expect([hosted.resend.accepted, await readHistory()]).toEqual([[], [{ status: 'pending' }]])
  })

  it('sends the admin’s text once, logs it and completes the request', async () => {
    const reply = await requestReply()
    const admin = await tokenOf(staffEmail(testAdmin.username))
    const clicks = await Promise.all([1, 2].map(() => send(hosted, reply, admin)))
    expect(clicks.map(({ status }) => status)).toEqual([200, 200])
    expect(hosted.resend.accepted).toHaveLength(1)
    expect(hosted.resend.accepted[0]?.message).toMatchObject({ to: [dana], subject: reply.subject })
    expect(await readHistory()).toEqual([
      { status: 'completed' },
      { status: 'sent' },
      { final_body: reply.finalBody, has_time: true },
    ])
    const request = (client: VisitorClient) => send(client, reply, admin)
    expect(await messageOf(hosted, () => request(hosted))).toEqual(
      await messageOf(hosted, () => request(hosted.site)),
    )
  })

  it('does not retry a reply that Resend refused, so that the admin can send it again', async () => {
    const reply = await requestReply()
    const admin = await tokenOf(staffEmail(testAdmin.username))
    hosted.resend.setMood('is-overloaded')
    expect((await send(hosted, reply, admin)).status).toBe(502)
    expect(await readHistory()).toMatchObject([
      { status: 'pending' },
      { status: 'failed' },
      { has_time: false },
    ])
    hosted.resend.setMood('takes')
    expect((await send(hosted, reply, admin)).status).toBe(200)
    expect(await readHistory()).toMatchObject([
      { status: 'completed' },
      { status: 'sent' },
      { has_time: true },
    ])
    expect(hosted.resend.accepted.map(({ key }) => key)).toEqual(
      hosted.resend.refused.map(({ key }) => key),
    )
  })
})
