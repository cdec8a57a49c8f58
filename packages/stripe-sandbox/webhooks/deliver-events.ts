import { createHmac } from 'node:crypto'
import type { Transaction } from '../api/call.ts'
import { openStore } from '../objects/object-store.ts'
import { present } from '../objects/present.ts'
import type { WireEvent } from '../objects/wire.ts'

/** Sends one signed POST to the webhook endpoint. Resolves with the status of the response. */
export type Deliver = (delivery: {
  url: string
  payload: string
  signature: string
}) => Promise<{ status: number }>

export type DeliveryOptions = {
  readonly transaction: Transaction
  readonly deliver: Deliver
  readonly now: () => number
  readonly publicUrl: string
  readonly webhookSecret: string
  readonly webhookUrl: string
}

const minute = 60_000
// The delays in milliseconds after each failed attempt; about three days in total, as in Stripe's live mode
// (docs.stripe.com/webhooks).
const retryDelays = [
  5_000,
  30_000,
  2 * minute,
  10 * minute,
  60 * minute,
  3 * 60 * minute,
  ...Array<number>(6).fill(12 * 60 * minute),
]
// The time in milliseconds after which another process delivers an event if the process that claimed the event has
// crashed.
const leaseMilliseconds = minute

/**
 * Delivers every due event. A process claims each event before delivering it, so concurrent calls do not deliver it
 * twice.
 * @returns the number of events that the endpoint accepted.
 */
export async function deliverDueEvents(options: DeliveryOptions): Promise<number> {
  let accepted = 0
  for (;;) {
    const claimed = await claim(options)
    if (!claimed) return accepted
    const response = await attempt(claimed.event, options)
    const ok = /^2\d\d$/.test(response)
    await recordResult(options, claimed, ok, response)
    if (ok) accepted += 1
  }
}

type Claimed = { readonly event: WireEvent; readonly attempts: number }

function claim({ transaction, now }: DeliveryOptions): Promise<Claimed | undefined> {
  return transaction(async (query) => {
    const [row] = await query(
      `update stripe_sandbox.event_deliveries set attempts = attempts + 1, next_attempt_at = $1::bigint + $2
       where event_id = (
         select event_id from stripe_sandbox.event_deliveries
         where next_attempt_at <= $1 order by next_attempt_at, event_id limit 1 for update skip locked)
       returning event_id, attempts`,
      [now(), leaseMilliseconds],
    )
    return (
      row && {
        event: await openStore(query).retrieve('event', row.event_id),
        attempts: row.attempts,
      }
    )
  })
}

async function attempt(event: WireEvent, options: DeliveryOptions): Promise<string> {
  const payload = JSON.stringify(present(event, options.publicUrl))
  const signature = sign(payload, options.webhookSecret, options.now())
  try {
    const { status } = await options.deliver({ url: options.webhookUrl, payload, signature })
    return String(status)
  } catch (error) {
    return error instanceof Error ? error.name : 'failed'
  }
}

function recordResult(
  options: DeliveryOptions,
  claimed: Claimed,
  ok: boolean,
  response: string,
): Promise<void> {
  const { transaction, now } = options
  const delay = retryDelays[claimed.attempts - 1]
  const next = ok || delay === undefined ? null : now() + delay
  return transaction(async (query) => {
    await query(
      `update stripe_sandbox.event_deliveries
       set next_attempt_at = $2, delivered_at = $3, last_answer = left($4, 200)
       where event_id = $1 and delivered_at is null`,
      [claimed.event.id, next, ok ? now() : null, response],
    )
    if (ok) await openStore(query).save({ ...claimed.event, pending_webhooks: 0 })
  })
}

/** Signs a payload: HMAC-SHA256 over `timestamp.payload` (docs.stripe.com/webhooks/signature). */
function sign(payload: string, secret: string, milliseconds: number): string {
  const timestamp = Math.floor(milliseconds / 1000)
  const signature = createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex')
  return `t=${timestamp},v1=${signature}`
}

export const deliverByHttp: Deliver = async ({ url, payload, signature }) => {
  const { status, body } = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
    body: payload,
    redirect: 'manual',
    signal: AbortSignal.timeout(20_000),
  })
  await body?.cancel()
  return { status }
}
