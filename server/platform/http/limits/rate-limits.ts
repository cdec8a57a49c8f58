import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressGroup, keyedHash } from './client-address.ts'
import { type Database, type Query, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { createRefusalMemory, type RefusalMemory } from './refusal-cache.ts'
import { sendTooManyRequests } from './too-many-requests.ts'

/** At most `max` requests are allowed in `windowSeconds`, counted from the first request. */
export type Limit = {
  /** The name of the limit. Routes whose limits have the same name share one limit. */
  readonly name: string
  readonly max: number
  readonly windowSeconds: number
  /**
   * Returns the value by which requests are counted; requests with the same value share one counter. By default, the
   * value is the client's IP address.
   */
  readonly subject?: (request: FastifyRequest) => string
  /** Returns the amount that a request adds to the counter; by default 1. */
  readonly cost?: (request: FastifyRequest) => number
}

export type RateLimits = {
  /** Returns a Fastify preHandler that responds with 429 and Retry-After when a request exceeds one of the limits. */
  limit(...limits: Limit[]): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  /**
   * Counts a request. Returns the seconds to wait when the request exceeds a limit. A refused request counts toward
   * none of the limits, because it would otherwise use up limits that other clients share. While a limit is used up,
   * further requests are refused without a query.
   */
  consume(request: FastifyRequest, limits: readonly Limit[]): Promise<number | undefined>
  /**
   * For a counted request, returns the number of further requests that its strictest limit allows, and the time window
   * of that limit. Returns undefined when requests are not counted.
   */
  attemptsLeft(request: FastifyRequest): AttemptsLeft | undefined
  /** Removes a request from the counters, for example because its password was correct. */
  forgive(request: FastifyRequest): Promise<void>
  /** Deletes counters whose time window has ended; returns the number of deleted counters. */
  sweep(): Promise<number>
}

export type AttemptsLeft = {
  readonly attempts: number
  readonly windowSeconds: number
  /** The seconds until the limit counts from zero again. */
  readonly resetSeconds: number
}

type Options = {
  readonly database: Database
  /**
   * The key with which the names of counters are hashed, so that the table contains no IP addresses and no usernames.
   */
  readonly key: string
  /** Whether requests are counted; false only in load tests and browser tests on a developer's machine. */
  readonly isEnforced: boolean
  /**
   * The cache of exhausted counters: requests that such a counter would refuse need no query. Tests clear the cache.
   */
  readonly refusals?: RefusalMemory | undefined
}

// One statement locks all counters of a request in the order of their keys, so that two requests cannot deadlock. A
// counter whose time window has ended starts again at zero.
const consumeSql = `
  insert into internal.rate_limits as held (key, taken, resets_at)
  select wanted.key, wanted.cost, now() + wanted.seconds * interval '1 second'
  from unnest($1::bytea[], $2::int[], $3::int[]) as wanted (key, seconds, cost)
  order by wanted.key
  on conflict (key) do update set
    taken = case when held.resets_at <= now() then excluded.taken else least(held.taken + excluded.taken, 1000000) end,
    resets_at = case when held.resets_at <= now() then excluded.resets_at else held.resets_at end
  returning key, taken, ceil(extract(epoch from resets_at - now()))::int as seconds`

// Locks the counters in the order of their keys, so that two statements cannot deadlock.
const giveBackSql = `
  with held as (
    select limits.key, given.cost
    from internal.rate_limits as limits join unnest($1::bytea[], $2::int[]) as given (key, cost) using (key)
    order by limits.key for update of limits
  )
  update internal.rate_limits as limits set taken = greatest(limits.taken - held.cost, 0)
  from held where limits.key = held.key`

/** Creates rate limits that all processes of the shop share. Their counters are stored in `internal.rate_limits`. */
export function createRateLimits({
  database,
  key,
  isEnforced,
  refusals = createRefusalMemory(),
}: Options): RateLimits {
  const consumed = new WeakMap<FastifyRequest, Counted[]>()

  const consume: RateLimits['consume'] = async (request, limits) => {
    if (!isEnforced) return undefined
    const wanted = limits.map((limit) => wantedBy(request, limit, key))
    const waits = wanted.flatMap(({ counter, cost }) => refusals.waitOf(counter, cost) ?? [])
    if (waits.length > 0) return Math.max(...waits)
    const counted = await database.transaction(asServer, (query) => consumeOrRefuse(query, wanted))
    const refused = counted.filter(({ left }) => left < 0)
    if (refused.length === 0) {
      consumed.set(request, [...(consumed.get(request) ?? []), ...counted])
      return undefined
    }
    for (const { counter, cost, resetSeconds: seconds } of refused) {
      refusals.remember(counter, { cost, seconds })
    }
    return Math.max(...refused.map(({ resetSeconds }) => resetSeconds))
  }

  return {
    consume,
    limit:
      (...limits) =>
      async (request, reply) => {
        const wait = await consume(request, limits)
        return wait === undefined ? undefined : sendTooManyRequests(request, reply, wait)
      },
    attemptsLeft(request) {
      // If several limits allow the same number of further requests, the limit with the longest wait is the strictest
      // one.
      const [strictest] = (consumed.get(request) ?? []).toSorted(
        (one, other) => one.left - other.left || other.resetSeconds - one.resetSeconds,
      )
      return (
        strictest && {
          attempts: strictest.left,
          windowSeconds: strictest.seconds,
          resetSeconds: strictest.resetSeconds,
        }
      )
    },
    async forgive(request) {
      const given = consumed.get(request)
      if (!given) return
      consumed.delete(request)
      await database.transaction(asServer, (query) => giveBack(query, given))
      for (const { counter } of given) refusals.forget(counter)
    },
    sweep: () =>
      database.transaction(asServer, async (query) => {
        const rows = await query(
          'delete from internal.rate_limits where resets_at <= now() returning 1',
        )
        return rows.length
      }),
  }
}

/** A counter to which a request adds the amount `cost`, with its limit: `max` within `seconds`. */
type Wanted = {
  readonly key: Buffer
  /** The key of the counter as text, because a map compares buffers by identity. */
  readonly counter: string
  readonly max: number
  readonly seconds: number
  readonly cost: number
}

/**
 * A counter after a request was counted: the amount that the counter still accepts (below zero if the counter refused
 * the request), and the time until the count starts again at zero.
 */
type Counted = Wanted & { readonly left: number; readonly resetSeconds: number }

function wantedBy(request: FastifyRequest, limit: Limit, key: string): Wanted {
  const { name, max, windowSeconds } = limit
  const subject = limit.subject ? limit.subject(request) : addressGroup(request.ip)
  const hash = keyedHash(key, name, String(windowSeconds), subject)
  return {
    key: hash,
    counter: hash.toString('base64'),
    max,
    seconds: windowSeconds,
    cost: limit.cost?.(request) ?? 1,
  }
}

/** Adds the amounts to all counters, or to no counter when one of the counters exceeds its limit. */
async function consumeOrRefuse(query: Query, wanted: readonly Wanted[]): Promise<Counted[]> {
  const rows = rowsAs<{ key: Buffer; taken: number; seconds: number }>(
    await query(
      consumeSql,
      [
        wanted.map((one) => one.key),
        wanted.map((one) => one.seconds),
        wanted.map((one) => one.cost),
      ],
      'take rate limits',
    ),
  )
  const counted = wanted.flatMap((one) => {
    const row = rows.find(({ key }) => key.equals(one.key))
    return row
      ? [{ ...one, left: one.max - row.taken, resetSeconds: Math.max(1, row.seconds) }]
      : []
  })
  if (counted.some(({ left }) => left < 0)) await giveBack(query, wanted)
  return counted
}

async function giveBack(query: Query, given: readonly Wanted[]): Promise<void> {
  await query(giveBackSql, [given.map((one) => one.key), given.map((one) => one.cost)])
}
