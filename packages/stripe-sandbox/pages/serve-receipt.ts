import type { FastifyInstance } from 'fastify'
import { messagePage } from './layout.ts'
import { type PageDependencies, sendPage } from './send-page.ts'
import { receiptPage } from './receipt-page.ts'

/** Serves the receipt of a charge at its `receipt_url`, which contains a secret. */
export function serveReceipt(app: FastifyInstance, { inCall, account }: PageDependencies): void {
  app.get<{ Params: { token: string } }>('/sandbox/receipt/:token', async ({ params }, reply) => {
    const [charge] = await inCall(({ store }) =>
      store.all('charge', { receipt_url: `/sandbox/receipt/${params.token}` }),
    )
    if (!charge)
      return sendPage(
        reply,
        404,
        messagePage(account(), 'Page not found', 'This receipt does not exist.'),
      )
    return sendPage(reply, 200, receiptPage(account(), charge))
  })
}
