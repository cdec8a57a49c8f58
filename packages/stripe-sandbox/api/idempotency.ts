import { createHash } from 'node:crypto'
import type { Query } from '@local/postgres'
import { ApiError } from './api-error.ts'

/**
 * The lifetime of an idempotency key. Stripe keeps the keys of its v1 API for at least 24 hours
 * (docs.stripe.com/api/idempotent_requests).
 */
const keyLifetimeSeconds = 24 * 3600

export type Reply = { readonly status: number; readonly body: unknown }

/**
 * Claims an idempotency key for this transaction. A concurrent request with the same key waits until the first
 * transaction ends.
 * @returns the stored response when an earlier request used the key, otherwise undefined.
 * @throws ApiError (400 idempotency_error) when the earlier request had another URL or other parameters.
 */
export async function claimKey(
  query: Query,
  claim: { key: string; endpoint: string; body: string; now: number },
): Promise<Reply | undefined> {
  const { key, endpoint, now } = claim
  const fingerprint = createHash('sha256').update(claim.body).digest('base64url')
  await query('delete from stripe_sandbox.idempotency_keys where key = $1 and created < $2', [
    key,
    now - keyLifetimeSeconds,
  ])
  const claimed = await query(
    `insert into stripe_sandbox.idempotency_keys (key, fingerprint, endpoint, created)
     values ($1, $2, $3, $4) on conflict do nothing returning key`,
    [key, fingerprint, endpoint, now],
  )
  if (claimed.length > 0) return undefined
  const [existing] = await query(
    'select fingerprint, endpoint, status, body from stripe_sandbox.idempotency_keys where key = $1',
    [key],
  )
  if (!existing) return undefined
  if (existing.endpoint !== endpoint)
    throw mismatch(
      `for the same endpoint they were first used for ('${endpoint}' vs '${existing.endpoint}')`,
      key,
    )
  if (existing.fingerprint !== fingerprint)
    throw mismatch('with the same parameters they were first used with', key)
  if (existing.status === null) throw new Error('An idempotency key has no stored response')
  return { status: existing.status, body: existing.body }
}

export async function storeReply(query: Query, key: string, reply: Reply): Promise<void> {
  await query('update stripe_sandbox.idempotency_keys set status = $2, body = $3 where key = $1', [
    key,
    reply.status,
    JSON.stringify(reply.body),
  ])
}

export async function deleteOldKeys(query: Query, now: number): Promise<void> {
  await query('delete from stripe_sandbox.idempotency_keys where created < $1', [
    now - keyLifetimeSeconds,
  ])
}

function mismatch(rule: string, key: string): ApiError {
  return new ApiError(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used ${rule}. Try using a key other than '${key.slice(0, 255)}' if you meant to execute a different request.`,
  })
}
