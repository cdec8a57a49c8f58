import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { shop } from '#domain/shop.ts'
import { messageIdOf } from '#letters/delivery/message-id.ts'
import type { Confirmation, ShopEmail } from '#letters/shop-email.ts'
import type { FunctionCaller } from './function-caller.ts'

/*
 * What the functions work with on a hosted project: its tables as service_role, and Resend. The shop's
 * own process sends what could not be sent here, from the same table.
 */

/** Settings of the function, as the hosted runtime offers them. */
export type ReadSetting = (name: string) => string | undefined

export function connect(setting: ReadSetting): SupabaseClient {
  const [url, key] = [setting('SUPABASE_URL'), setting('SUPABASE_SERVICE_ROLE_KEY')]
  if (!url || !key) throw new Error('SUPABASE_URL and SUPABASE_SERVICE_ROLE_KEY are not set')
  return createClient(url, key, { auth: { persistSession: false, autoRefreshToken: false } })
}

/**
 * What names the sender. The gateway writes `cf-connecting-ip` over what a client sent; the project's data
 * service shows the same header to the database.
 */
const senderHeaders = ['x-form-token', 'cf-connecting-ip']

function visitorOf({ headers }: Request): FunctionCaller {
  const named = senderHeaders.map((name) => [name, headers.get(name) ?? ''] as const)
  const sender = Object.fromEntries(named.filter(([, value]) => value !== ''))
  return { role: 'anon', isAdmin: false, sender }
}

/**
 * Who calls, as the project's auth service knows the token. The gateway may have checked its signature
 * (verify_jwt) or not: that is a setting of each deployment, so nothing is read from an unchecked token.
 */
export function callerOf(client: SupabaseClient) {
  return async (request: Request): Promise<FunctionCaller> => {
    const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
    const visitor = visitorOf(request)
    if (token === undefined) return visitor
    const { data } = await client.auth.getUser(token)
    if (!data.user) return visitor
    const isAdmin = data.user.app_metadata['role'] === 'admin'
    return { ...visitor, role: 'authenticated', isAdmin }
  }
}

const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers':
    'authorization, apikey, content-type, x-client-info, x-form-token',
  'access-control-allow-methods': 'POST, OPTIONS',
  'cache-control': 'no-store',
}

type HostedOptions = {
  /** How to tell who calls, for a handler that depends on it; every other one sees a visitor. */
  readonly whoCalls?: (request: Request) => Promise<FunctionCaller>
  /** Where a failure goes: to the function's log. */
  readonly report: (error: unknown) => void
}

/** Serves a handler as the hosted runtime asks for it, with CORS; a failure is answered without details. */
export function serveHosted(
  handle: (request: Request, caller: FunctionCaller) => Promise<Response>,
  { whoCalls = (request) => Promise.resolve(visitorOf(request)), report }: HostedOptions,
) {
  return async (request: Request): Promise<Response> => {
    if (request.method === 'OPTIONS')
      return new Response(null, { status: 204, headers: corsHeaders })
    const response = await whoCalls(request)
      .then((caller) => handle(request, caller))
      .catch((error: unknown) => {
        report(error)
        return Response.json(
          { success: false, error: 'Something went wrong on our side.' },
          { status: 500 },
        )
      })
    for (const [name, value] of Object.entries(corsHeaders)) response.headers.set(name, value)
    return response
  }
}

/** Longer than an attempt takes: until then the shop's own process leaves the row alone. */
const leaseMs = 60_000

type Row = { id: string; status: string }

/** Writes a reply of the admin once and hands it to Resend; true once it is sent. A failed one is not tried later. */
export async function queueAndSend(
  client: SupabaseClient,
  setting: ReadSetting,
  email: ShopEmail,
): Promise<{ readonly id: string; readonly isSent: boolean }> {
  const row = toRow(email)
  await client.from('emails').upsert(row, { onConflict: 'dedupe_key', ignoreDuplicates: true })
  return sendOnce(client, setting, email, { retriesLater: false })
}

/**
 * Writes a message that a visitor caused once, unless a cap keeps it back (migration
 * cap_letters_to_visitors), and hands it to Resend; true once it is sent. A failed one is left to the shop's
 * own process.
 */
export async function queueAndSendToVisitor(
  client: SupabaseClient,
  setting: ReadSetting,
  email: Confirmation,
): Promise<boolean> {
  const { data, error } = await client.rpc('queue_visitor_email', { message: toRow(email) })
  if (error) throw new Error(`The e-mail was not written: ${error.code}`)
  if (data === null) return false
  const { isSent } = await sendOnce(client, setting, email, { retriesLater: true })
  return isSent
}

async function sendOnce(
  client: SupabaseClient,
  setting: ReadSetting,
  email: ShopEmail,
  { retriesLater }: { readonly retriesLater: boolean },
): Promise<{ readonly id: string; readonly isSent: boolean }> {
  const { id, status } = await findWritten(client, email)
  if (hasLeft(status)) return { id, isSent: true }
  const failed = retriesLater ? 'retrying' : 'failed'
  const isOurs = await claim(client, id, failed)
  if (!isOurs) return { id, isSent: hasLeft(await outcomeOf(client, id)) }
  const isSent = await sendByResend(setting, id, email)
  const outcome = isSent
    ? { status: 'sent', sent_at: new Date().toISOString(), last_error: null }
    : { status: failed, last_error: 'Resend did not take it.' }
  await client
    .from('emails')
    .update({ ...outcome, leased_until: null })
    .eq('id', id)
  return { id, isSent }
}

function hasLeft(status: string): boolean {
  return status === 'sent' || status === 'kept'
}

/** Takes the message for one attempt; false when it is done or somebody else has it in hand. */
async function claim(client: SupabaseClient, id: string, failed: string): Promise<boolean> {
  const lease = new Date(Date.now() + leaseMs).toISOString()
  const { data } = await client
    .from('emails')
    .update({ status: 'queued', leased_until: lease, next_attempt_at: lease, attempts: 1 })
    .eq('id', id)
    .or(`leased_until.is.null,leased_until.lt.${new Date().toISOString()}`)
    .in('status', ['queued', failed])
    .select('id')
  return data !== null && data.length > 0
}

const pollMs = 200
const patienceMs = 20_000

/** What became of a message in other hands: the second of two clicks gets the first one's answer. */
async function outcomeOf(client: SupabaseClient, id: string): Promise<string> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const { data } = await client.from('emails').select('id, status').eq('id', id).single<Row>()
    const status = data?.status ?? 'failed'
    if (status !== 'queued' || Date.now() > deadline) return status
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

async function findWritten(client: SupabaseClient, { dedupeKey }: ShopEmail): Promise<Row> {
  const { data, error } = await client
    .from('emails')
    .select('id, status')
    .eq('dedupe_key', dedupeKey)
    .single<Row>()
  if (error) throw new Error(`The e-mail was not written: ${error.code}`)
  return data
}

/** A message as a row of `emails`. */
function toRow(email: ShopEmail) {
  return {
    kind: email.kind,
    dedupe_key: email.dedupeKey,
    recipient_email: email.to.email,
    recipient_name: email.to.name,
    subject: email.subject,
    html_body: email.html,
    text_body: email.text,
    attachments: email.attachments.map(({ filename, contentType, content }) => ({
      filename,
      contentType,
      contentBase64: toBase64(content),
    })),
    booking_id: email.bookingId ?? null,
    appointment_at: email.appointmentAt ?? null,
    quote_request_id: email.quoteRequestId ?? null,
    // The shop's own process must not be faster than this function.
    next_attempt_at: new Date(Date.now() + leaseMs).toISOString(),
  }
}

async function sendByResend(setting: ReadSetting, id: string, email: ShopEmail): Promise<boolean> {
  const [apiKey, from] = [setting('RESEND_API_KEY'), setting('MAIL_FROM')]
  if (!apiKey || !from) return false
  const response = await fetch('https://api.resend.com/emails', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': messageIdOf(id),
    },
    body: JSON.stringify({
      from: `${shop.name} <${from}>`,
      to: [email.to.email],
      subject: email.subject,
      html: email.html,
      text: email.text,
      headers: { 'Message-ID': messageIdOf(id) },
      attachments: email.attachments.map(({ filename, contentType, content }) => ({
        filename,
        content: toBase64(content),
        content_type: contentType,
      })),
    }),
    signal: AbortSignal.timeout(15_000),
  }).catch(() => undefined)
  return response?.ok ?? false
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''))
}
