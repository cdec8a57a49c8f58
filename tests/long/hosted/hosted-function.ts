import { afterAll, afterEach, beforeAll } from 'vitest'
import { createResendTransport } from '#emails/delivery/resend-transport.ts'
import { createTestApp } from '#tests/support/app/app.ts'
import { startHostedDataService } from '#tests/support/app/hosted-data-service.ts'
import { type DenoFunction, denoVersion, serveUnderDeno } from './deno.ts'
import { reportFigure } from '#tests/long/test-size.ts'
import { type FakeResend, startFakeResend } from '#tests/long/support/fake-resend.ts'
import {
  submitQuote,
  confirmQuote,
  type VisitorClient,
} from '#tests/long/support/visitor-client.ts'

/**
 * A server function (Supabase Edge Function) in a process with the same environment as in a hosted Supabase project.
 */
export type HostedFunction = DenoFunction & {
  /**
   * The shop, whose data service (REST API) replaces that of the hosted Supabase project. The shop's own process sends
   * emails too.
   */
  readonly site: VisitorClient
  readonly serviceKey: string
  /** The stand-in for Resend, which the function calls with the key 're_deno' and the shop with the key 're_shop'. */
  readonly resend: FakeResend
  /** Runs SQL on the shop's database without row-level security; returns the rows. */
  readonly run: (sql: string) => Promise<object[]>
}

const mailFrom = 'shop@example.org'
const mailSettings = {
  smtpUrl: undefined,
  resendApiKey: undefined,
  from: mailFrom,
  owner: undefined,
}

/**
 * Starts the server function for the tests of a `describe`, calls `prepare` before the first test, and clears the
 * recorded requests after each test. The first run downloads Deno.
 */
export function hostForTests(
  name: string,
  prepare: (hosted: HostedFunction) => Promise<void>,
): void {
  let hosted: HostedFunction | undefined
  beforeAll(async () => {
    hosted = await startHostedFunction(name)
    await prepare(hosted)
  }, 300_000)
  afterEach(() => hosted && forgetAll(hosted))
  afterAll(async () => {
    if (!hosted) return
    await hosted.end()
    const attempts = hosted.resend.attempts()
    reportFigure(`${name}, Deno ${denoVersion}: ${attempts} messages to Resend's stand-in`)
  })
}

async function startHostedFunction(name: string): Promise<HostedFunction> {
  const resend = await startFakeResend()
  const shop = await createTestApp({
    config: { rateLimits: 'off', mail: mailSettings },
    mailTransport: createResendTransport('re_shop', (_url, init) =>
      fetch(`${resend.url}/emails`, init),
    ),
  })
  const site = { url: await shop.listen() }
  const dataService = await startHostedDataService(shop)
  const { serviceKey } = dataService
  const close = async () => {
    await dataService.close()
    await shop.close()
    await resend.stop()
  }
  const settings = {
    SUPABASE_URL: dataService.url,
    PUBLIC_URL: shop.config.publicUrl,
    SUPABASE_SERVICE_ROLE_KEY: serviceKey,
    RESEND_API_KEY: 're_deno',
    MAIL_FROM: mailFrom,
    FAKE_RESEND_URL: resend.url,
  }
  const reaches = [new URL(dataService.url).host, resend.address]
  const preload = 'tests/long/support/redirect-resend.ts'
  try {
    const served = await serveUnderDeno(name, { settings, reaches, preload })
    const end = () => served.end().then(close)
    const run = async (sql: string) => (await shop.database.owner.query<object>(sql)).rows
    return { ...served, site, serviceKey, resend, run, end }
  } catch (error) {
    await close()
    throw error
  }
}

/** Clears the recorded requests and messages for the next test. */
async function forgetAll({ resend, run }: HostedFunction): Promise<void> {
  resend.setMood('takes')
  for (const attempts of [resend.accepted, resend.refused]) attempts.length = 0
  await run(
    'delete from bookings; delete from quote_requests; delete from emails; delete from internal.visitor_emails',
  )
}

/** Calls `request`; returns the only message that the function or the shop then sends to Resend. */
export async function messageOf(
  { resend, run }: HostedFunction,
  request: () => Promise<{ status: number }>,
): Promise<object> {
  await run('delete from emails')
  resend.accepted.length = 0
  const { status } = await request()
  const [attempt, ...others] = resend.accepted
  if (status !== 200 || !attempt || others.length > 0)
    throw new Error(`Expected exactly one message: status ${status}`)
  // The Message-ID must equal the idempotency key. Both values contain the id of a database row, which differs between
  // the email of the function and the email of the shop.
  const { headers, attachments, ...message } = attempt.message
  if (headers['Message-ID'] !== attempt.key)
    throw new Error('The idempotency key differs from the Message-ID')
  return { ...message, attachments: attachments?.map(withoutWriting) }
}

/**
 * Removes the creation time from a calendar file, because the function and the shop create the file at different times.
 */
function withoutWriting({ content, ...more }: { readonly content: string }) {
  const text = Buffer.from(content, 'base64').toString()
  return { ...more, content: text.replace(/^DTSTAMP:.*$/m, 'DTSTAMP') }
}

export const dana = 'dana@example.com'
const description = 'The brakes squeal — à froid.'

/** Requests a quote on the site; returns a function that requests the confirmation email. */
export async function makeQuoteRequest({ site }: HostedFunction, email = dana) {
  const { status } = await submitQuote(site, email, description)
  if (status !== 201) throw new Error(`The quote request was not stored: ${status}`)
  return (client: VisitorClient) => confirmQuote(client, email, description)
}
