import type { FastifyInstance } from 'fastify'
import { serveAssets } from './assets.ts'
import { serveCheckout } from './serve-checkout.ts'
import { serveInvoice } from './serve-invoice.ts'
import type { PageDependencies } from './send-page.ts'
import { serveReceipt } from './serve-receipt.ts'

const maxFormBytes = 8 * 1024

/**
 * Registers Stripe's hosted pages on the origin of the host application. The pages set no cookies and need no script.
 */
export function registerPages(app: FastifyInstance, dependencies: PageDependencies): void {
  void app.register(async (pages) => {
    // The form parser is registered in this scope only, so that no other route of the host application parses card
    // fields.
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: maxFormBytes },
      async (_request: unknown, body: string) => new URLSearchParams(body),
    )
    await serveAssets(pages, dependencies.account)
    serveCheckout(pages, dependencies)
    serveInvoice(pages, dependencies)
    serveReceipt(pages, dependencies)
  })
}
