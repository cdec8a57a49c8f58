import type { FastifyInstance } from 'fastify'
import { createEstimatePdf } from '#server/features/invoices/pdf/create-estimate-pdf.ts'
import {
  type OpenedLink,
  sendInvalidLink,
  sendPage,
} from '#server/features/visit-page/link-pages.ts'
import { rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { declareRoutes } from '#server/platform/http/declare-routes.ts'
import { formOf, acceptFormBodies } from '#server/platform/http/pages/form-bodies.ts'
import { handleDecision } from './handle-decision.ts'
import { payDeposit, showEstimate } from './pay-deposit.ts'
import { type EstimatePageContext, actionHandler, pageHandler } from './open-estimate-page.ts'

/** The maximum size of a form in bytes, enough for forty jobs, a name and the hash of the revision. */
const formBytes = 8_192

/**
 * Serves /estimate/<token>, where a customer reads an estimate and approves or declines its jobs (docs/product.md
 * 15.10). GET changes nothing, because mail scanners open every link. The buttons send POST requests. Everything
 * works without JavaScript.
 */
export async function registerEstimates(app: FastifyInstance, serving: EstimatePageContext) {
  await app.register(async (pages) => {
    acceptFormBodies(pages, formBytes)
    declareRoutes(pages, { rights: 'link', limit: 'in handler' })
    pages.get(
      '/estimate/:token',
      pageHandler(serving, (sentRevision, opened) => showEstimate(serving, sentRevision, opened)),
    )
    pages.get(
      '/estimate/:token/estimate.pdf',
      pageHandler(serving, (_sentRevision, opened) => sendPdf(serving, opened)),
    )
    pages.get(
      '/estimate/:token/decline',
      pageHandler(serving, (sentRevision, { path, reply }) =>
        sentRevision.state === 'open'
          ? sendPage(serving, reply, { name: 'decline', sentRevision, path })
          : reply.redirect(path, 303),
      ),
    )
    // A browser that reloads the page after a form submission may send a GET request to the URL of the form. This route
    // redirects the request to the page with the form.
    for (const action of ['approve', 'deposit'] as const) {
      pages.get(
        `/estimate/:token/${action}`,
        pageHandler(serving, (_sentRevision, { path, reply }) => reply.redirect(path, 303)),
      )
    }
    pages.post(
      '/estimate/:token/deposit',
      actionHandler(serving, (opened) => payDeposit(serving, opened)),
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

/** Responds with a PDF of the latest sent revision and all authorizations so far. */
async function sendPdf(serving: EstimatePageContext, { id, reply }: OpenedLink) {
  const shop = serving.currentShop()
  const printed = await createEstimatePdf({ database: serving.database, shop }, id, true)
  if (!printed) return sendInvalidLink(serving, reply)
  return reply
    .type('application/pdf')
    .header('content-disposition', `inline; filename="${printed.fileName}"`)
    .send(printed.bytes)
}

/**
 * Records that a customer viewed the estimate. The page's script sends this request once, with the displayed revision,
 * when the customer interacts with the page.
 */
async function recordViewed({ database }: EstimatePageContext, { id, request, reply }: OpenedLink) {
  const revision = formOf(request).get('revision') ?? ''
  rowsAs<{ seen: boolean }>(
    await database.transaction(asServer, (query) =>
      query('select internal.record_sent_revision_viewed($1, $2) as seen', [id, revision]),
    ),
  )
  return reply.code(204).send()
}
