import type { FastifyInstance } from 'fastify'
import type { CurrentShop } from '#domain/shop/shop.ts'
import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { answerRequest } from './api/answer-request.ts'
import { openCall } from './api/call.ts'
import type { Call } from './api/route.ts'
import { registerPages } from './pages/pages.ts'
import { tidyUp } from './payments/tidy-up.ts'
import { apiRoutes } from './routes.ts'
import { type Deliver, deliverByHttp, deliverDueEvents } from './webhooks/deliver-events.ts'
import { startPump } from './webhooks/pump.ts'

export type StripeSandboxOptions = {
  /** Objects live in its schema stripe_sandbox; every process on it is the same account. */
  readonly database: Database
  /** Whose account it is. */
  readonly currentShop: CurrentShop
  /** Where the site is reached, without a trailing slash: the pages' addresses begin with it. */
  readonly publicUrl: string
  /** Signs the events, as the endpoint's secret does at Stripe. */
  readonly webhookSecret: string
  /** Where events are POSTed. */
  readonly webhookUrl: string
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** Replaces the HTTP POST of events. */
  readonly deliver?: Deliver
  /** The document behind `invoice_pdf`, for an invoice's id. Without it the address answers 404. */
  readonly renderPdf?: (invoiceId: string) => Promise<Uint8Array>
  /** Whether events go out by themselves; false leaves it to `deliverPendingEvents`. Default true. */
  readonly background?: boolean
  /** Is told of bugs and outages inside the sandbox; callers only see a 500. */
  readonly report?: (error: unknown) => void
}

export type StripeSandbox = {
  /** For `new Stripe('sk_test_…', { httpClient: Stripe.createFetchHttpClient(sandbox.fetch) })`. */
  readonly fetch: typeof fetch
  /** Hosted checkout, hosted invoice, invoice PDF and receipt, all below /sandbox. */
  registerPages(app: FastifyInstance): void
  /** Expires what is over and delivers every event that is due. @returns how many were accepted. */
  deliverPendingEvents(): Promise<number>
  /** Ends the background work after what it is doing. */
  stop(): Promise<void>
}

/**
 * Stands in for Stripe (API version of the SDK, test mode) on our own database and origin. A faithful
 * part of it: what it does not know it refuses as an unknown parameter or address, never ignores.
 * Known differences: card payments only; its search is never behind; drafts stay drafts until they are
 * finalized (`auto_advance` does nothing); it mails nothing, like Stripe's own test mode.
 */
export function createStripeSandbox(options: StripeSandboxOptions): StripeSandbox {
  const { database, currentShop, publicUrl, renderPdf } = options
  const now = options.now ?? Date.now
  const report = options.report ?? (() => undefined)
  const inCall = <Result>(work: (call: Call) => Promise<Result>) =>
    database.transaction(asServer, (query) =>
      work(openCall(query, { publicUrl, now, currentShop })),
    )

  const deliverPendingEvents = async () => {
    await inCall(tidyUp)
    return deliverDueEvents({ ...options, deliver: options.deliver ?? deliverByHttp, now })
  }
  const pump = options.background === false ? undefined : startPump(deliverPendingEvents, report)

  return {
    async fetch(input, init) {
      const request = new Request(input, init)
      const response = await answerRequest(request, {
        database,
        publicUrl,
        now,
        currentShop,
        report,
        routes: apiRoutes,
      })
      if (request.method !== 'GET') pump?.nudge()
      return response
    },
    registerPages: (app) =>
      registerPages(app, {
        inCall,
        currentShop,
        publicUrl,
        renderPdf,
        onChange: () => pump?.nudge(),
      }),
    deliverPendingEvents,
    stop: async () => pump?.stop(),
  }
}
