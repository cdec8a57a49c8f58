import type { FastifyReply } from 'fastify'
import type { ReschedulePage } from '#contracts/api/customer-pages.ts'
import type { VisitPageData, VisitRefusal, VisitResult } from '#contracts/bookings/visit-page.ts'
import {
  readRescheduleQuery,
  rescheduleChoice,
  type RescheduleQuery,
} from '#domain/bookings/reschedule-query.ts'
import type { ShopFacts } from '#domain/shop/shop.ts'
import { asServer } from '#server/platform/database/identities.ts'
import { formOf } from '#server/platform/http/pages/form-bodies.ts'
import { runVisitAction, type VisitAction } from './run-visit-action.ts'
import { confirmHeldBooking } from './confirm-held-booking.ts'
import { findVisitPage, readWorkOf, type VisitPageContext } from '../open-visit-page.ts'
import { type OpenedLink, sendInvalidLink, sendPage } from '../link-pages.ts'
import { listTakenTimes, listRescheduleTimes } from '../read-visit-page.ts'

/**
 * For each action, the value of the URL parameter `done` in the redirect to the visit page. The page shows a different
 * message for each value.
 */
export const doneMessages: Readonly<Record<VisitAction, VisitResult>> = {
  move: 'moved',
  cancel: 'cancelled',
  restore: 'restored',
  attend: 'attendance_confirmed',
  reason: 'reason_saved',
}

/** Performs the action of a submitted form, and responds with the current state of the booking. */
export async function handleVisitAction(
  serving: VisitPageContext,
  action: VisitAction,
  opened: OpenedLink,
) {
  const { id, path, reply, request } = opened
  const form = formOf(request)
  const outcome = await runVisitAction(serving, id, action, form)
  if (outcome.kind === 'done') {
    serving.mailer.wake()
    // A repeated submission is redirected like the first one, because the visit page shows the booking's current state
    // in any case.
    return reply.redirect(`${path}?done=${doneMessages[action]}`, 303)
  }
  const booking = await findVisitPage(serving, id)
  return booking
    ? refuse(serving, outcome.refusal, booking, form, opened)
    : sendInvalidLink(serving, reply)
}

async function refuse(
  serving: VisitPageContext,
  refusal: VisitRefusal,
  booking: VisitPageData,
  form: URLSearchParams,
  opened: OpenedLink,
): Promise<FastifyReply> {
  const { id, path, reply } = opened
  void reply.code(409)
  const query = readRescheduleQuery(Object.fromEntries(form))
  const { time } = query
  if (time !== undefined && booking.mayChange && isOfTime(refusal, serving.currentShop())) {
    return sendTimes(serving, booking, opened, query, { time, refusal })
  }
  const work = await readWorkOf(serving, id)
  return sendPage(serving, reply, { name: 'visit', booking, path, work, refusal })
}

const refusalsOfTime: ReadonlySet<VisitRefusal> = new Set([
  'slot_taken',
  'in_the_past',
  'notice_required',
  'outside_hours',
  'off_the_grid',
  'too_far_ahead',
] as const)

/**
 * Whether the action was refused because the time that the customer chose is not available. The page for choosing a
 * time then shows the refusal and the free times.
 */
function isOfTime(refusal: VisitRefusal, { rules }: ShopFacts): boolean {
  return refusal === 'booking_paused' ? rules.isPaused : refusalsOfTime.has(refusal)
}

/** Sends the page with the days and times to which a booking can be moved. */
export async function sendTimes(
  serving: VisitPageContext,
  booking: VisitPageData,
  { id, path, reply }: OpenedLink,
  query: RescheduleQuery,
  refused?: ReschedulePage['refused'],
): Promise<FastifyReply> {
  const chosen = rescheduleChoice(serving.currentShop(), booking, query)
  const before = [...query.shown, ...(chosen.time === undefined ? [] : [chosen.time])]
  const { times, taken } = await serving.database.transaction(asServer, async (run) => ({
    times: await listRescheduleTimes(run, id, chosen.date),
    taken: before.length === 0 ? [] : await listTakenTimes(run, id, chosen.date, before),
  }))
  return sendPage(serving, reply, {
    name: 'reschedule',
    booking,
    path,
    chosen,
    times,
    taken,
    refused,
  })
}

/**
 * Confirms a held booking (one that the customer has not confirmed yet) when the customer submits the button on its
 * visit page.
 */
export async function handleConfirmation(serving: VisitPageContext, opened: OpenedLink) {
  const { id, path, reply } = opened
  const outcome = await confirmHeldBooking(serving, id)
  if (outcome.kind === 'done') serving.mailer.wake()
  else if (outcome.refusal === 'too_many') {
    return sendPage(serving, reply.code(409), { name: 'too_many_bookings' })
  }
  return reply.redirect(`${path}?done=confirmed`, 303)
}
