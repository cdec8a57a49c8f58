import type { FastifyInstance } from 'fastify'
import type { CurrentAccount } from './account.ts'
import { handleRequest } from './api/handle-request.ts'
import { openCall, type Transaction } from './api/call.ts'
import type { Call } from './api/route.ts'
import { registerPages } from './pages/pages.ts'
import { expireRecords } from './payments/expire-records.ts'
import { apiRoutes } from './routes.ts'
import { type Deliver, deliverByHttp, deliverDueEvents } from './webhooks/deliver-events.ts'
import { startDeliveryLoop } from './webhooks/delivery-loop.ts'

export type StripeSandboxOptions = {
  /**
   * Runs work in one database transaction: commits when the work resolves, rolls back when it throws. The role of the
   * transaction needs read and write access to the schema `stripe_sandbox`. All processes that use the same database
   * share one simulated Stripe account.
   */
  readonly transaction: Transaction
  /** Returns the settings of the account. The sandbox calls this function at each request. */
  readonly account: CurrentAccount
  /**
   * The origin on which the host application serves the hosted pages, without a trailing slash: 'https://shop.example'.
   */
  readonly publicUrl: string
  /** The secret that signs the webhook events, as the secret of a webhook endpoint at Stripe: 'whsec_…'. */
  readonly webhookSecret: string
  /** The URL to which the sandbox POSTs events. */
  readonly webhookUrl: string
  /** Returns the current time in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number
  /** Delivers an event in place of an HTTP POST, for tests. */
  readonly deliver?: Deliver
  /**
   * Renders the PDF of an invoice by the invoice's id. Without this function, the URL in `invoice_pdf` responds with
   * 404.
   */
  readonly renderPdf?: (invoiceId: string) => Promise<Uint8Array>
  /**
   * Whether the sandbox delivers events in the background. When false, only `deliverPendingEvents` delivers them.
   * Default: true.
   */
  readonly background?: boolean
  /**
   * The sandbox passes unexpected errors, such as database outages, to this function; the API responds to them with
   * status 500.
   */
  readonly report?: (error: unknown) => void
}

export type StripeSandbox = {
  /** Handles API requests: `new Stripe('sk_test_…', { httpClient: Stripe.createFetchHttpClient(sandbox.fetch) })`. */
  readonly fetch: typeof fetch
  /** Adds the hosted checkout, invoice, invoice PDF and receipt pages to a Fastify application, below /sandbox. */
  registerPages(app: FastifyInstance): void
  /**
   * Expires overdue Checkout Sessions and delivers every due event.
   * @returns the number of events that the webhook endpoint accepted.
   */
  deliverPendingEvents(): Promise<number>
  /** Stops the background deliveries of events. Resolves when the current round of deliveries has ended. */
  stop(): Promise<void>
}

/**
 * Creates a Stripe account in test mode that runs in this process, with the API version of the installed SDK, on the
 * database and origin of the host application. The sandbox supports a part of the API; it rejects unknown parameters
 * and URLs and never ignores them. README.md lists the supported part and the differences from Stripe.
 */
export function createStripeSandbox(options: StripeSandboxOptions): StripeSandbox {
  const { transaction, account, publicUrl, renderPdf } = options
  const now = options.now ?? Date.now
  const report = options.report ?? (() => undefined)
  const inCall = <Result>(work: (call: Call) => Promise<Result>) =>
    transaction((query) => work(openCall(query, { publicUrl, now, account })))

  const deliverPendingEvents = async () => {
    await inCall(expireRecords)
    return deliverDueEvents({ ...options, deliver: options.deliver ?? deliverByHttp, now })
  }
  const loop =
    options.background === false ? undefined : startDeliveryLoop(deliverPendingEvents, report)

  return {
    async fetch(input, init) {
      const request = new Request(input, init)
      const response = await handleRequest(request, {
        transaction,
        publicUrl,
        now,
        account,
        report,
        routes: apiRoutes,
      })
      if (request.method !== 'GET') loop?.runSoon()
      return response
    },
    registerPages: (app) =>
      registerPages(app, {
        inCall,
        account,
        publicUrl,
        renderPdf,
        onChange: () => loop?.runSoon(),
      }),
    deliverPendingEvents,
    stop: async () => loop?.stop(),
  }
}
