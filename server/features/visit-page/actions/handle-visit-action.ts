import { formOf } from '#server/platform/http/pages/form-bodies.ts'
import type { FastifyReply } from 'fastify'
import { asServer } from '#server/platform/database/identities.ts'
import { runVisitAction, type VisitAction, type Refusal } from './run-visit-action.ts'
import {
  type RescheduleQuery,
  selectedTime,
  readRescheduleQuery,
  renderReschedulePage,
} from '../page/reschedule-page.ts'
import { confirmHeldBooking } from './confirm-held-booking.ts'
import { findVisitPage, type VisitPageContext } from '../open-visit-page.ts'
import { type OpenedLink, sendInvalidLink, sendPage } from '../link-pages.ts'
import { listTakenTimes, listRescheduleTimes, type VisitPageData } from '../read-visit-page.ts'
import { renderErrorPage } from '../page/error-pages.ts'
import {
  type Done,
  pausedMessage,
  takenTimesText,
  actionErrorMessage,
  timeErrorMessage,
} from '../page/notices.ts'
import { readWorkOf, sendVisitPage } from '../page/send-visit-page.ts'

/** The value of `done` in the URL after an action, from which the page chooses its message. */
export const doneMessages: Readonly<Record<VisitAction, Done>> = {
  move: 'moved',
  cancel: 'cancelled',
  restore: 'restored',
  attend: 'attendance_confirmed',
  reason: 'reason_saved',
}

/** Performs the action of a form, and responds with the current state of the booking. */
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
    // The page shows the state, so a repeated form leads to the same page.
    return reply.redirect(`${path}?done=${doneMessages[action]}`, 303)
  }
  const booking = await findVisitPage(serving, id)
  return booking
    ? refuse(serving, outcome.refusal, booking, form, opened)
    : sendInvalidLink(serving, reply)
}

async function refuse(
  serving: VisitPageContext,
  refusal: Refusal,
  booking: VisitPageData,
  form: URLSearchParams,
  opened: OpenedLink,
): Promise<FastifyReply> {
  const { id, path, reply } = opened
  const shop = serving.currentShop()
  void reply.code(409)
  const rescheduleQuery = readRescheduleQuery(Object.fromEntries(form))
  const aboutTime =
    rescheduleQuery.time !== undefined &&
    booking.mayChange &&
    timeErrorMessage(refusal, rescheduleQuery.time, booking, shop)
  if (aboutTime) return renderTimes(serving, booking, opened, rescheduleQuery, aboutTime)
  const notice = actionErrorMessage(refusal, shop)
  const work = await readWorkOf(serving, id)
  return sendVisitPage(serving, reply, { shop, booking, path, notice, work })
}

/** Renders the days and times to which a booking can be moved. */
export async function renderTimes(
  serving: VisitPageContext,
  booking: VisitPageData,
  { id, path, reply }: OpenedLink,
  rescheduleQuery: RescheduleQuery,
  notice?: string,
): Promise<FastifyReply> {
  const shop = serving.currentShop()
  const chosen = selectedTime(shop, booking, rescheduleQuery)
  const before = [...rescheduleQuery.shown, ...(chosen.time === undefined ? [] : [chosen.time])]
  const { times, taken } = await serving.database.transaction(asServer, async (query) => ({
    times: await listRescheduleTimes(query, id, chosen.date),
    taken: before.length === 0 ? [] : await listTakenTimes(query, id, chosen.date, before),
  }))
  const others = taken.filter((time) => time.slice(0, 5) !== chosen.time)
  const why = notice
    ? [notice, takenTimesText(others, undefined, booking)].filter(Boolean).join(' ')
    : (pausedMessage(booking, shop) ?? takenTimesText(taken, chosen.time, booking))
  return sendPage(
    serving,
    reply,
    renderReschedulePage({ shop, booking, path, chosen, times, notice: why }),
  )
}

/** Confirms a held booking after the click on its page. */
export async function handleConfirmation(serving: VisitPageContext, opened: OpenedLink) {
  const { id, path, reply } = opened
  const outcome = await confirmHeldBooking(serving, id)
  if (outcome.kind === 'done') serving.mailer.wake()
  else if (outcome.refusal === 'too_many') {
    const page = renderErrorPage(serving.currentShop(), 'too_many')
    return sendPage(serving, reply.code(409), page)
  }
  return reply.redirect(`${path}?done=confirmed`, 303)
}
