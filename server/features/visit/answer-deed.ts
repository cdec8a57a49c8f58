import { formOf } from '#server/platform/http/form-bodies.ts'
import type { FastifyReply } from 'fastify'
import { asServer } from '#server/platform/database/database.ts'
import { runVisitAction, type VisitAction, type Refusal } from './act-on-visit.ts'
import {
  type RescheduleQuery,
  chosenOf,
  readRescheduleQuery,
  writeChangePage,
} from './change-page.ts'
import { confirmHeldBooking } from './confirm-visit.ts'
import { findVisit, type VisitServing } from './open-visit.ts'
import { type Opened, sendNotValid, sendPage } from './private-pages.ts'
import { listTakenTimes, listRescheduleTimes, type Visit } from './read-visit.ts'
import { writeRefusalPage } from './refusal-pages.ts'
import {
  type Done,
  pausedMessage,
  takenInWords,
  actionErrorMessage,
  timeErrorMessage,
} from './visit-notices.ts'
import { readWorkOf, sendVisitPage } from './send-visit-page.ts'

/** What the address says after a deed; of what the page itself tells nothing is said twice. */
export const doneBy: Readonly<Record<VisitAction, Done>> = {
  move: 'moved',
  cancel: 'cancelled',
  'take-back': 'restored',
  come: 'attendance_confirmed',
  why: 'reason_saved',
}

/** Does what a form asks for, and answers with how the visit stands. */
export async function handleVisitAction(serving: VisitServing, deed: VisitAction, opened: Opened) {
  const { id, path, reply, request } = opened
  const form = formOf(request)
  const outcome = await runVisitAction(serving, id, deed, form)
  if (outcome.kind === 'done') {
    serving.mailer.wake()
    // The page itself says how the visit stands: whoever comes a second time reads the same.
    return reply.redirect(`${path}?done=${doneBy[deed]}`, 303)
  }
  const visit = await findVisit(serving, id)
  return visit
    ? refuse(serving, outcome.refusal, visit, form, opened)
    : sendNotValid(serving, reply)
}

async function refuse(
  serving: VisitServing,
  refusal: Refusal,
  visit: Visit,
  form: URLSearchParams,
  opened: Opened,
): Promise<FastifyReply> {
  const { id, path, reply } = opened
  const shop = serving.currentShop()
  void reply.code(409)
  const asked = readRescheduleQuery(Object.fromEntries(form))
  const aboutTime =
    asked.time !== undefined &&
    visit.mayChange &&
    timeErrorMessage(refusal, asked.time, visit, shop)
  if (aboutTime) return showTimes(serving, visit, opened, asked, aboutTime)
  const notice = actionErrorMessage(refusal, shop)
  const work = await readWorkOf(serving, id)
  return sendVisitPage(serving, reply, { shop, visit, path, notice, work })
}

/** The days and times to which a visit can be moved. */
export async function showTimes(
  serving: VisitServing,
  visit: Visit,
  { id, path, reply }: Opened,
  asked: RescheduleQuery,
  notice?: string,
): Promise<FastifyReply> {
  const shop = serving.currentShop()
  const chosen = chosenOf(shop, visit, asked)
  const before = [...asked.shown, ...(chosen.time === undefined ? [] : [chosen.time])]
  const { times, taken } = await serving.database.transaction(asServer, async (query) => ({
    times: await listRescheduleTimes(query, id, chosen.date),
    taken: before.length === 0 ? [] : await listTakenTimes(query, id, chosen.date, before),
  }))
  const others = taken.filter((time) => time.slice(0, 5) !== chosen.time)
  const why = notice
    ? [notice, takenInWords(others, undefined, visit)].filter(Boolean).join(' ')
    : (pausedMessage(visit, shop) ?? takenInWords(taken, chosen.time, visit))
  return sendPage(
    serving,
    reply,
    writeChangePage({ shop, visit, path, chosen, times, notice: why }),
  )
}

/** The click that a held booking waits for. */
export async function handleConfirmation(serving: VisitServing, opened: Opened) {
  const { id, path, reply } = opened
  const outcome = await confirmHeldBooking(serving, id)
  if (outcome.kind === 'done') serving.mailer.wake()
  else if (outcome.refusal === 'too_many') {
    const page = writeRefusalPage(serving.currentShop(), 'too_many')
    return sendPage(serving, reply.code(409), page)
  }
  return reply.redirect(`${path}?done=confirmed`, 303)
}
