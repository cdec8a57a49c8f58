import type { FastifyInstance } from 'fastify'
import { isAhead, readVisitResult, type VisitPageData } from '#contracts/bookings/visit-page.ts'
import { readRescheduleQuery } from '#domain/bookings/reschedule-query.ts'
import { vehicleName } from '#domain/customers/vehicle.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { renderCalendarFile } from '#emails/bookings/calendar-file.ts'
import { isAtShop } from '#domain/bookings/vehicle-state-table.ts'
import { declareRoutes } from '#server/platform/http/declare-routes.ts'
import { acceptFormBodies } from '#server/platform/http/pages/form-bodies.ts'
import type { VisitAction } from './actions/run-visit-action.ts'
import {
  handleConfirmation,
  handleVisitAction,
  doneMessages,
  sendTimes,
} from './actions/handle-visit-action.ts'
import { actionHandler, pageHandler, readWorkOf, type VisitPageContext } from './open-visit-page.ts'
import { type OpenedLink, sendInvalidLink, sendPage } from './link-pages.ts'

/**
 * Serves /visit/<token>, the visit page of a booking (docs/product.md 14). GET changes nothing, because mail scanners
 * open every link. The buttons send POST requests. Everything works without JavaScript.
 */
export async function registerVisitPage(app: FastifyInstance, serving: VisitPageContext) {
  await app.register(async (pages) => {
    acceptFormBodies(pages, 1_024)
    declareRoutes(pages, { rights: 'link', limit: 'in handler' })
    registerPages(pages, serving)
    for (const action of Object.keys(doneMessages) as VisitAction[]) {
      pages.post(
        `/visit/:token/${action}`,
        actionHandler(serving, (opened) => handleVisitAction(serving, action, opened)),
      )
    }
    // A browser that reloads the response to a submitted form may send GET instead of POST to the form's URL. These
    // routes then redirect to the visit page.
    for (const below of ['move', 'restore', 'attend', 'reason', 'confirm']) {
      pages.get(
        `/visit/:token/${below}`,
        pageHandler(serving, (_booking, { path, reply }) => reply.redirect(path, 303)),
      )
    }
    pages.post(
      '/visit/:token/confirm',
      actionHandler(serving, (opened) => handleConfirmation(serving, opened)),
    )
  })
}

function registerPages(pages: FastifyInstance, serving: VisitPageContext) {
  pages.get(
    '/visit/:token',
    pageHandler(serving, (booking, opened) => showVisitPage(serving, booking, opened)),
  )
  pages.get(
    '/visit/:token/change',
    pageHandler(serving, (booking, opened) =>
      booking.mayChange
        ? sendTimes(serving, booking, opened, readRescheduleQuery(opened.request.query))
        : opened.reply.redirect(opened.path, 303),
    ),
  )
  pages.get(
    '/visit/:token/cancel',
    pageHandler(serving, (booking, opened) =>
      booking.mayCancel
        ? showCancel(serving, booking, opened)
        : opened.reply.redirect(opened.path, 303),
    ),
  )
  pages.get(
    '/visit/:token/appointment.ics',
    pageHandler(serving, (booking, opened) => sendCalendar(serving, booking, opened)),
  )
}

async function showVisitPage(
  serving: VisitPageContext,
  booking: VisitPageData,
  { id, path, request, reply }: OpenedLink,
) {
  const work = await readWorkOf(serving, id)
  const { sentRevision, estimatePath } = work
  if (sentRevision?.state === 'open' && isAtShop(booking.state)) {
    const page = { name: 'estimate', sentRevision, path: estimatePath, booking } as const
    return sendPage(serving, reply, page)
  }
  const done = readVisitResult(request.query['done'])
  return sendPage(serving, reply, { name: 'visit', booking, path, work, done })
}

async function showCancel(
  serving: VisitPageContext,
  booking: VisitPageData,
  { id, path, reply }: OpenedLink,
) {
  const work = await readWorkOf(serving, id)
  return sendPage(serving, reply, { name: 'cancel', booking, path, work })
}

function sendCalendar(
  serving: VisitPageContext,
  booking: VisitPageData,
  { path, reply }: OpenedLink,
) {
  if (!isAhead(booking)) return sendInvalidLink(serving, reply)
  return reply
    .type('text/calendar; charset=utf-8; method=PUBLISH')
    .send(
      renderBookingCalendar(serving.currentShop(), booking, new URL(path, serving.publicUrl).href),
    )
}

/** Renders the appointment as a calendar file (iCalendar) for the customer; `visitUrl` is the URL of the visit page. */
function renderBookingCalendar(shop: Shop, booking: VisitPageData, visitUrl: string): string {
  const appointment = { ...booking, bookingId: booking.id, vehicle: vehicleName(booking) }
  return renderCalendarFile(shop, { ...appointment, visitUrl, writtenAt: new Date() })
}
