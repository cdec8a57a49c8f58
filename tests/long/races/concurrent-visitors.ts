import { setTimeout as delay } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import {
  sendRequest,
  book,
  type Outcome,
  type Service,
  upcomingSlots,
  type VisitorClient,
} from '#tests/long/support/visitor-client.ts'

/** When it was asked and answered, in milliseconds of `performance.now()`. */
type Timed = { readonly startedAt: number; readonly endedAt: number }

export type ConcurrentVisitors = {
  /** Every attempt to book, in the order of the answers. */
  readonly attempts: readonly (Outcome & Timed)[]
  /** The e-mail addresses of the bookings that were answered with 201. */
  readonly acknowledged: readonly string[]
  /** Every answer of `/healthz`; a page of the site is asked for beside it. */
  readonly healthChecks: readonly (Timed & { readonly ok: boolean; readonly code: string })[]
  /** Pages that were not served. */
  readonly missingPages: readonly string[]
  stop(): Promise<void>
}

/** People who book without a pause until they leave, and a monitor that asks every few milliseconds. */
export function startVisitors(
  client: VisitorClient,
  service: Service,
  size: number,
): ConcurrentVisitors {
  const attempts: (Outcome & Timed)[] = []
  const acknowledged: string[] = []
  const healthChecks: (Timed & { ok: boolean; code: string })[] = []
  const missingPages: string[] = []
  const controller = new AbortController()

  const visitor = async (worker: number) => {
    while (!controller.signal.aborted) {
      for (const slot of upcomingSlots(service.duration_minutes)) {
        if (controller.signal.aborted) return
        const email = `crowd-${worker}-${attempts.length}@example.com`
        const startedAt = performance.now()
        const outcome = await book(client, service, slot, email)
        attempts.push({ ...outcome, startedAt, endedAt: performance.now() })
        if (outcome.status === 201) acknowledged.push(email)
      }
    }
  }
  const monitor = async () => {
    while (!controller.signal.aborted) {
      const startedAt = performance.now()
      const { ok, code } = await readHealth(client)
      healthChecks.push({ startedAt, endedAt: performance.now(), ok, code })
      const page = await readPage(client)
      if (page !== 200) missingPages.push(`${page} at ${Math.round(startedAt)} ms`)
      await delay(20)
    }
  }
  const running = [monitor(), ...Array.from({ length: size }, (_, worker) => visitor(worker))]
  return {
    attempts,
    acknowledged,
    healthChecks,
    missingPages,
    async stop() {
      controller.abort()
      await Promise.all(running)
    },
  }
}

async function readHealth(client: VisitorClient): Promise<{ ok: boolean; code: string }> {
  try {
    const response = await sendRequest(client, 'GET', '/healthz')
    const { code = '' } = (await response.json()) as { code?: string }
    return { ok: response.ok, code }
  } catch {
    return { ok: false, code: 'no answer' }
  }
}

async function readPage(client: VisitorClient): Promise<number> {
  const page = await sendRequest(client, 'GET', '/').catch(() => undefined)
  await page?.body?.cancel()
  return page?.status ?? 0
}

/** What the site answers while its database works: booked, or taken by somebody else. */
export const isBookedOrTaken = ({ status, code }: Outcome) => status === 201 || code === '23P01'

/** `/healthz` may be this old, and a crowd on two cores takes its time to be answered. */
const oldMs = 1_000
const slackMs = 1_000

/**
 * The looks that were not true: a 200 around which nobody could book, or a 503 around which everybody
 * could, unless `isIll` says that the database was ill at that moment all the same.
 */
export function findWrongHealth(
  { healthChecks, attempts }: ConcurrentVisitors,
  isIll: (at: number) => boolean = () => false,
): string[] {
  return healthChecks.flatMap(({ startedAt, endedAt, ok, code }) => {
    const around = attempts.filter(
      (attempt) => attempt.endedAt > startedAt - oldMs && attempt.startedAt < endedAt + slackMs,
    )
    const isTrue =
      around.length === 0 ||
      around.some((attempt) => isBookedOrTaken(attempt) === ok) ||
      (!ok && (isIll(startedAt) || isIll(startedAt - oldMs)))
    return isTrue ? [] : [`${ok ? 200 : 503} ${code} at ${Math.round(startedAt)} ms`]
  })
}

export async function bookAny({ acknowledged }: ConcurrentVisitors): Promise<void> {
  const before = acknowledged.length
  await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 20), 60_000)
}
