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

/** The times of a request and its response, in milliseconds of `performance.now()`. */
type Timed = { readonly startedAt: number; readonly endedAt: number }

export type ConcurrentVisitors = {
  /** Every attempt to book, in the order in which the responses arrived. */
  readonly attempts: readonly (Outcome & Timed)[]
  /** The email addresses of the bookings that got status 201. */
  readonly acknowledged: readonly string[]
  /** Every response of `/healthz`; the monitor requests a page of the site after each. */
  readonly healthChecks: readonly (Timed & { readonly ok: boolean; readonly code: string })[]
  /** The pages that the site failed to serve. */
  readonly missingPages: readonly string[]
  stop(): Promise<void>
}

/** Starts visitors who book without a pause, and a monitor that requests `/healthz` every few milliseconds. */
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

/** Returns whether the database worked: the visitor has booked the time, or another visitor has booked it before. */
export const isBookedOrTaken = ({ status, code }: Outcome) => status === 201 || code === '23P01'

/**
 * Compares a health check with the attempts to book from one second before until one second after the check, because
 * responses are slow when many visitors share two cores.
 */
const oldMs = 1_000
const slackMs = 1_000

/**
 * Returns the wrong health checks: a 200 while every attempt to book failed, or a 503 while every attempt succeeded,
 * unless `isIll` reports that the database did not work at that moment.
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
