import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Mailer } from '#server/features/emails/mailer.ts'
import { asServer } from '#server/platform/database/database.ts'
import type { Markup } from '#server/platform/http/html.ts'
import { type PageFrame, sendInFrame } from '#server/platform/http/page-frame.ts'
import type { Limit, RateLimits } from '#server/platform/http/rate-limits.ts'
import { type Acting, actOnVisit, type Deed, type Outcome } from './act-on-visit.ts'
import { chosenOf, readAsked, writeChangePage } from './change-page.ts'
import { confirmVisit } from './confirm-visit.ts'
import { isFromElsewhere } from './is-from-elsewhere.ts'
import { listVisitTimes, readVisit, type Visit } from './read-visit.ts'
import { writeNotValidPage, writeRefusalPage } from './refusal-pages.ts'
import { writeCancelPage } from './visit-answers.ts'
import { renderVisitCalendar } from './visit-calendar.ts'
import { doneInWords, refusalInWords, timeRefusalInWords } from './visit-notices.ts'
import { writeVisitPage } from './visit-page.ts'
import type { VisitTokens } from './visit-tokens.ts'

type Dependencies = Acting & {
  readonly mailer: Mailer
  readonly tokens: VisitTokens
  readonly limits: RateLimits
  readonly frame: () => PageFrame
}

type VisitRequest = FastifyRequest<{
  Params: { token: string }
  Querystring: Record<string, unknown>
}>

const byLink = (request: FastifyRequest) => (request as VisitRequest).params.token
const looking: readonly Limit[] = [
  { name: 'visit', max: 120, windowSeconds: 600 },
  { name: 'visit by link', max: 240, windowSeconds: 600, subject: byLink },
]
const acting: readonly Limit[] = [
  { name: 'confirm visit', max: 30, windowSeconds: 600 },
  { name: 'change visit by link', max: 60, windowSeconds: 600, subject: byLink },
]

/** Only who has the link gets here: nothing of it is stored, listed or handed on. */
const privately = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
} as const

/** A token opened this appointment. */
type Opened = {
  readonly bookingId: string
  readonly path: string
  readonly request: VisitRequest
  readonly reply: FastifyReply
}

/**
 * /visit/<token>, an appointment's private page (docs/product.md 14). GET shows and changes nothing, because mail
 * scanners open every link; buttons post. All of it works without a script.
 */
export async function registerVisit(app: FastifyInstance, dependencies: Dependencies) {
  const { database, mailer, tokens, limits, frame, currentShop, publicUrl } = dependencies
  const send = (reply: FastifyReply, page: Markup) => sendInFrame(reply, frame(), page)
  const notValid = (reply: FastifyReply) => send(reply.code(404), writeNotValidPage(currentShop()))
  const read = (bookingId: string) =>
    database.transaction(asServer, (query) => readVisit(query, bookingId))

  /** Counted first, whatever the token: then a link that never was takes as long as one that is no longer. */
  const opening =
    (most: readonly Limit[], serve: (opened: Opened) => Promise<FastifyReply>) =>
    async (request: VisitRequest, reply: FastifyReply) => {
      void reply.headers(privately)
      const wait = await limits.take(request, most)
      if (wait !== undefined) {
        void reply.code(429).header('retry-after', String(wait))
        return send(reply, writeRefusalPage(currentShop(), 'too_often'))
      }
      const { token } = request.params
      const bookingId = await tokens.bookingIdOf(token)
      if (bookingId === undefined) return notValid(reply)
      if (isFromElsewhere(request, publicUrl)) return reply.code(403).send('')
      return serve({ bookingId, path: `/visit/${token}`, request, reply })
    }

  const showing = (serve: (visit: Visit, opened: Opened) => Promise<FastifyReply>) =>
    opening(looking, async (opened) => {
      const visit = await read(opened.bookingId)
      return visit ? serve(visit, opened) : notValid(opened.reply)
    })

  async function showTimes(
    visit: Visit,
    { bookingId, path, request, reply }: Opened,
    notice?: string,
  ) {
    const shop = currentShop()
    const chosen = chosenOf(shop, visit, readAsked(request.query))
    const times = await database.transaction(asServer, (query) =>
      listVisitTimes(query, bookingId, chosen.date),
    )
    return send(reply, writeChangePage({ shop, visit, path, chosen, times, notice }))
  }

  async function act(deed: Deed, opened: Opened) {
    const { bookingId, path, reply, request } = opened
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    const outcome = await actOnVisit(dependencies, bookingId, deed, form)
    if (isDone(outcome)) {
      mailer.wake()
      // The page itself says how the visit stands: whoever comes a second time reads the same.
      return reply.redirect(`${path}?done=${doneBy[deed]}`, 303)
    }
    const visit = await read(bookingId)
    if (!visit) return notValid(reply)
    return refuse(outcome, visit, form, opened)
  }

  async function refuse(outcome: Outcome, visit: Visit, form: URLSearchParams, opened: Opened) {
    const shop = currentShop()
    void opened.reply.code(409)
    const time = form.get('time') ?? ''
    const aboutTime =
      form.has('date') && visit.mayChange && timeRefusalInWords(outcome, time, visit, shop)
    if (aboutTime) {
      const request = Object.assign(opened.request, { query: { date: form.get('date') } })
      return showTimes(visit, { ...opened, request }, aboutTime)
    }
    const notice = refusalInWords(outcome, shop)
    return send(opened.reply, writeVisitPage({ shop, visit, path: opened.path, notice }))
  }

  await app.register(async (pages) => {
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 1_024 },
      async (_request: FastifyRequest, body: string) => new URLSearchParams(body),
    )
    pages.get(
      '/visit/:token',
      showing(async (visit, { path, request, reply }) => {
        const { done } = request.query
        const notice = doneInWords(typeof done === 'string' ? done : undefined, visit)
        return send(reply, writeVisitPage({ shop: currentShop(), visit, path, notice }))
      }),
    )
    pages.get(
      '/visit/:token/change',
      showing(async (visit, opened) =>
        visit.mayChange ? showTimes(visit, opened) : opened.reply.redirect(opened.path, 303),
      ),
    )
    pages.get(
      '/visit/:token/cancel',
      showing(async (visit, { path, reply }) =>
        visit.mayCancel
          ? send(reply, writeCancelPage({ shop: currentShop(), visit, path }))
          : reply.redirect(path, 303),
      ),
    )
    pages.get(
      '/visit/:token/appointment.ics',
      showing(async (visit, { reply }) =>
        visit.state === 'expected'
          ? reply
              .type('text/calendar; charset=utf-8; method=PUBLISH')
              .send(renderVisitCalendar(currentShop(), visit))
          : notValid(reply),
      ),
    )
    for (const deed of Object.keys(doneBy) as Deed[]) {
      pages.post(
        `/visit/:token/${deed}`,
        opening(acting, (opened) => act(deed, opened)),
      )
    }
    pages.post(
      '/visit/:token/confirm',
      opening(acting, async ({ bookingId, path, reply }) => {
        const outcome = await confirmVisit(dependencies, bookingId)
        if (outcome === 'confirmed') mailer.wake()
        if (outcome === 'too_many') {
          return send(reply.code(409), writeRefusalPage(currentShop(), 'too_many'))
        }
        return reply.redirect(`${path}?done=confirmed`, 303)
      }),
    )
  })
}

/** What the address says after a deed; of those that the page itself tells, nothing is said twice. */
const doneBy: Readonly<Record<Deed, string>> = {
  move: 'moved',
  cancel: 'cancelled',
  'take-back': 'taken_back',
  come: 'answered',
  why: 'explained',
}

const isDone = (outcome: Outcome) =>
  ['moved', 'cancelled', 'taken_back', 'answered', 'explained', 'unchanged'].includes(outcome)
