import type { FastifyInstance } from 'fastify'
import { acceptFormBodies } from '#server/platform/http/pages/form-bodies.ts'
import { serveAssets } from './assets.ts'
import { serveCheckout } from './serve-checkout.ts'
import { serveInvoice } from './serve-invoice.ts'
import type { PageDependencies } from './send-page.ts'
import { serveReceipt } from './serve-receipt.ts'

/** The processor's hosted pages on our origin. They carry no cookies and need no script. */
export function registerPages(app: FastifyInstance, dependencies: PageDependencies): void {
  void app.register(async (pages) => {
    // Card fields are parsed here and nowhere else, and only ever live in the handler.
    acceptFormBodies(pages, 8 * 1024)
    await serveAssets(pages)
    serveCheckout(pages, dependencies)
    serveInvoice(pages, dependencies)
    serveReceipt(pages, dependencies)
  })
}
