import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CurrentShop } from '#domain/shop.ts'
import type { Mailer } from '#server/features/emails/mailer.ts'
import { asServer, type Database } from '#server/platform/database/database.ts'
import { type PageFrame, sendInFrame } from '#server/platform/http/page-frame.ts'
import type { Limit, RateLimits } from '#server/platform/http/rate-limits.ts'
import { confirmVisit } from './confirm-visit.ts'
import { readVisit } from './read-visit.ts'
import { writeRefusalPage, writeVisitPage } from './visit-page.ts'
import type { VisitTokens } from './visit-tokens.ts'

type Dependencies = {
  readonly database: Database
  readonly mailer: Mailer
  readonly tokens: VisitTokens
  readonly limits: RateLimits
  readonly frame: () => PageFrame
  readonly currentShop: CurrentShop
}

type VisitRequest = FastifyRequest<{ Params: { token: string } }>

const looking: Limit = { name: 'visit', max: 120, windowSeconds: 600 }
const confirming: Limit = { name: 'confirm visit', max: 30, windowSeconds: 600 }

/** Only who has the link gets here: nothing of it is stored, listed or handed on. */
const privately = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
} as const

/**
 * /visit/<token>, a booking's own page. GET shows and changes nothing, because mail scanners open every
 * link; the button posts. Both work without a script.
 */
export async function registerVisit(app: FastifyInstance, dependencies: Dependencies) {
  const { database, mailer, tokens, limits, frame, currentShop } = dependencies
  // A forged link is refused before it costs the database anything.
  const opened = (request: VisitRequest, reply: FastifyReply) => {
    void reply.headers(privately)
    return tokens.bookingIdOf(request.params.token)
  }
  const refuse = (reply: FastifyReply, seconds: number) =>
    sendInFrame(
      reply.code(429).header('retry-after', String(seconds)),
      frame(),
      writeRefusalPage(currentShop(), 'too_often'),
    )

  await app.register(async (pages) => {
    // A plain form; there is nothing in it to read.
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 1_024 },
      async () => null,
    )

    pages.get('/visit/:token', async (request: VisitRequest, reply) => {
      const bookingId = opened(request, reply)
      if (bookingId === undefined) return reply.callNotFound()
      const wait = await limits.take(request, [looking])
      if (wait !== undefined) return refuse(reply, wait)
      const visit = await database.transaction(asServer, (query) => readVisit(query, bookingId))
      if (!visit) return reply.callNotFound()
      const confirmPath = `/visit/${request.params.token}/confirm`
      return sendInFrame(reply, frame(), writeVisitPage(currentShop(), visit, confirmPath))
    })

    pages.post('/visit/:token/confirm', async (request: VisitRequest, reply) => {
      const bookingId = opened(request, reply)
      if (bookingId === undefined) return reply.callNotFound()
      const wait = await limits.take(request, [confirming])
      if (wait !== undefined) return refuse(reply, wait)
      const outcome = await confirmVisit(database, currentShop(), bookingId)
      if (outcome === 'confirmed') mailer.wake()
      if (outcome === 'too_many') {
        return sendInFrame(reply.code(409), frame(), writeRefusalPage(currentShop(), 'too_many'))
      }
      // The page itself says how the booking stands now: a second click finds the same words.
      return reply.redirect(`/visit/${request.params.token}`, 303)
    })
  })
}
