import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Mailer } from '#server/features/emails/mailer.ts'
import { asServer } from '#server/platform/database/database.ts'
import type { Markup } from '#server/platform/http/html.ts'
import { type PageFrame, sendInFrame } from '#server/platform/http/page-frame.ts'
import { privately } from '#server/platform/http/privately.ts'
import type { Limit, RateLimits } from '#server/platform/http/rate-limits.ts'
import type { Acting } from './act-on-visit.ts'
import { isFromElsewhere } from './is-from-elsewhere.ts'
import { readVisit, type Visit } from './read-visit.ts'
import { writeNotValidPage, writeRefusalPage } from './refusal-pages.ts'
import type { VisitTokens } from './visit-tokens.ts'

/** What the private pages are served with. */
export type VisitServing = Acting & {
  readonly mailer: Mailer
  readonly tokens: VisitTokens
  readonly limits: RateLimits
  readonly frame: () => PageFrame
  /** Around a page that shows an estimate. */
  readonly estimateFrame: () => PageFrame
}

export type VisitRequest = FastifyRequest<{
  Params: { token: string }
  Querystring: Record<string, unknown>
}>

/** A token opened this appointment. */
export type Opened = {
  readonly bookingId: string
  /** '/visit/<token>' */
  readonly path: string
  readonly request: VisitRequest
  readonly reply: FastifyReply
}

const byLink = (request: FastifyRequest) => (request as VisitRequest).params.token
const looking: readonly Limit[] = [
  { name: 'visit', max: 120, windowSeconds: 600 },
  { name: 'visit by link', max: 240, windowSeconds: 600, subject: byLink },
]
const acting: readonly Limit[] = [
  { name: 'confirm visit', max: 30, windowSeconds: 600 },
  { name: 'change visit by link', max: 60, windowSeconds: 600, subject: byLink },
]

export function sendPage({ frame }: VisitServing, reply: FastifyReply, page: Markup): FastifyReply {
  return sendInFrame(reply, frame(), page)
}

/** The one answer to every link that opens nothing. */
export function sendNotValid(serving: VisitServing, reply: FastifyReply): FastifyReply {
  return sendPage(serving, reply.code(404), writeNotValidPage(serving.currentShop()))
}

/** Wraps what changes an appointment. */
export function toAct(serving: VisitServing, serve: (opened: Opened) => Promise<FastifyReply>) {
  return async (request: VisitRequest, reply: FastifyReply) => {
    const opened = await open(serving, acting, request, reply)
    if (!opened) return reply
    if (isFromElsewhere(request, serving.publicUrl)) return reply.code(403).send('')
    return serve(opened)
  }
}

/** Wraps what only shows an appointment. */
export function toShow(
  serving: VisitServing,
  serve: (visit: Visit, opened: Opened) => FastifyReply | Promise<FastifyReply>,
) {
  return async (request: VisitRequest, reply: FastifyReply) => {
    const opened = await open(serving, looking, request, reply)
    if (!opened) return reply
    const visit = await findVisit(serving, opened.bookingId)
    return visit ? serve(visit, opened) : sendNotValid(serving, reply)
  }
}

export function findVisit({ database }: VisitServing, bookingId: string) {
  return database.transaction(asServer, (query) => readVisit(query, bookingId))
}

/**
 * Opens a link, or answers that it opens nothing. It is counted first, whatever the token: then one that never was takes
 * as long as one that is no longer.
 */
async function open(
  serving: VisitServing,
  most: readonly Limit[],
  request: VisitRequest,
  reply: FastifyReply,
): Promise<Opened | undefined> {
  void reply.headers(privately)
  const wait = await serving.limits.take(request, most)
  if (wait !== undefined) {
    void reply.code(429).header('retry-after', String(wait))
    sendPage(serving, reply, writeRefusalPage(serving.currentShop(), 'too_often'))
    return undefined
  }
  const { token } = request.params
  const bookingId = await serving.tokens.bookingIdOf(token)
  if (bookingId !== undefined) return { bookingId, path: `/visit/${token}`, request, reply }
  sendNotValid(serving, reply)
  return undefined
}
