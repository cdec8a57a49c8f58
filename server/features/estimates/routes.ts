import type { FastifyInstance } from 'fastify'
import { createEstimatePdf } from '#server/features/invoices/pdf/create-estimate-pdf.ts'
import {
  type OpenedLink,
  sendInvalidLink,
  sendPage,
} from '#server/features/visit-page/link-pages.ts'
import { rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { formOf, acceptFormBodies } from '#server/platform/http/pages/form-bodies.ts'
import { handleDecision } from './page/handle-decision.ts'
import { renderDeclinePage } from './page/decision-section.ts'
import { renderEstimatePage } from './page/estimate-page.ts'
import { type EstimatePageContext, actionHandler, pageHandler } from './page/open-estimate-page.ts'

/** Forty jobs, a name and what names the revision. */
const formBytes = 8_192

/**
 * /estimate/<token>, an estimate as its customer sees and answers it (docs/product.md 15.10). GET shows and changes
 * nothing, because mail scanners open every link; buttons post. All of it works without a script.
 */
export async function registerEstimates(app: FastifyInstance, serving: EstimatePageContext) {
  await app.register(async (pages) => {
    acceptFormBodies(pages, formBytes)
    const currentShop = () => serving.currentShop()
    pages.get(
      '/estimate/:token',
      pageHandler(serving, (sentRevision, { path, reply }) =>
        sendPage(serving, reply, renderEstimatePage({ shop: currentShop(), sentRevision, path })),
      ),
    )
    pages.get(
      '/estimate/:token/estimate.pdf',
      pageHandler(serving, (_sentRevision, opened) => sendPdf(serving, opened)),
    )
    pages.get(
      '/estimate/:token/decline',
      pageHandler(serving, (sentRevision, { path, reply }) =>
        sentRevision.state === 'open'
          ? sendPage(serving, reply, renderDeclinePage(sentRevision, path))
          : reply.redirect(path, 303),
      ),
    )
    // A browser that reloads the answer to a form may ask for its address alone.
    pages.get(
      '/estimate/:token/approve',
      pageHandler(serving, (_sentRevision, { path, reply }) => reply.redirect(path, 303)),
    )
    for (const action of ['approve', 'decline'] as const) {
      pages.post(
        `/estimate/:token/${action}`,
        actionHandler(serving, (opened) => handleDecision(serving, opened, action === 'decline')),
      )
    }
    pages.post(
      '/estimate/:token/seen',
      actionHandler(serving, (opened) => recordViewed(serving, opened)),
    )
  })
}

/** What was handed over last, with the ledger as it is now, on paper. */
async function sendPdf(serving: EstimatePageContext, { id, reply }: OpenedLink) {
  const shop = serving.currentShop()
  const printed = await createEstimatePdf({ database: serving.database, shop }, id, true)
  if (!printed) return sendInvalidLink(serving, reply)
  return reply
    .type('application/pdf')
    .header('content-disposition', `inline; filename="${printed.fileName}"`)
    .send(printed.bytes)
}

/** Somebody touched the page: a script says so once, of the revision that it shows. */
async function recordViewed({ database }: EstimatePageContext, { id, request, reply }: OpenedLink) {
  const revision = formOf(request).get('revision') ?? ''
  rowsAs<{ seen: boolean }>(
    await database.transaction(asServer, (query) =>
      query('select internal.record_sent_revision_viewed($1, $2) as seen', [id, revision]),
    ),
  )
  return reply.code(204).send()
}
