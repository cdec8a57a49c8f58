import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Offer } from '#contracts/estimates.ts'
import type { Mailer } from '#server/features/emails/mailer.ts'
import { isFromElsewhere } from '#server/features/visit/is-from-elsewhere.ts'
import { writeNotValidPage, writeRefusalPage } from '#server/features/visit/refusal-pages.ts'
import { asServer } from '#server/platform/database/database.ts'
import type { Markup } from '#server/platform/http/html.ts'
import { type PageFrame, sendInFrame } from '#server/platform/http/page-frame.ts'
import { privately } from '#server/platform/http/privately.ts'
import type { Limit, RateLimits } from '#server/platform/http/rate-limits.ts'
import type { Answering } from './answer-offer.ts'
import type { OpenEstimateToken } from './estimate-tokens.ts'
import { readOffer } from './read-offer.ts'

/** What the pages of estimates are served with. */
export type OfferServing = Answering & {
  readonly mailer: Mailer
  readonly estimateIdOf: OpenEstimateToken
  readonly limits: RateLimits
  readonly frame: () => PageFrame
}

type OfferRequest = FastifyRequest<{
  Params: { token: string }
  Querystring: Record<string, unknown>
}>

/** A token opened this estimate. */
export type Opened = {
  readonly estimateId: string
  /** '/estimate/<token>' */
  readonly path: string
  readonly request: OfferRequest
  readonly reply: FastifyReply
}

const byLink = (request: FastifyRequest) => (request as OfferRequest).params.token
const looking: readonly Limit[] = [
  { name: 'estimate', max: 120, windowSeconds: 600 },
  { name: 'estimate by link', max: 240, windowSeconds: 600, subject: byLink },
]
const acting: readonly Limit[] = [
  { name: 'answer estimate', max: 30, windowSeconds: 600 },
  { name: 'answer estimate by link', max: 60, windowSeconds: 600, subject: byLink },
]

export function sendPage({ frame }: OfferServing, reply: FastifyReply, page: Markup): FastifyReply {
  return sendInFrame(reply, frame(), page)
}

/** The one answer to every link that opens nothing, in the words of those of visits. */
export function sendNotValid(serving: OfferServing, reply: FastifyReply): FastifyReply {
  return sendPage(serving, reply.code(404), writeNotValidPage(serving.currentShop()))
}

/** Wraps what changes something. */
export function toAct(serving: OfferServing, serve: (opened: Opened) => Promise<FastifyReply>) {
  return async (request: OfferRequest, reply: FastifyReply) => {
    const opened = await open(serving, acting, request, reply)
    if (!opened) return reply
    if (isFromElsewhere(request, serving.publicUrl)) return reply.code(403).send('')
    return serve(opened)
  }
}

/** Wraps what only shows an estimate. */
export function toShow(
  serving: OfferServing,
  serve: (offer: Offer, opened: Opened) => FastifyReply | Promise<FastifyReply>,
) {
  return async (request: OfferRequest, reply: FastifyReply) => {
    const opened = await open(serving, looking, request, reply)
    if (!opened) return reply
    const offer = await serving.database.transaction(asServer, (query) =>
      readOffer(query, opened.estimateId),
    )
    return offer ? serve(offer, opened) : sendNotValid(serving, reply)
  }
}

/** Opens a link, or answers that it opens nothing; counted first, whatever the token, as for visits. */
async function open(
  serving: OfferServing,
  most: readonly Limit[],
  request: OfferRequest,
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
  const estimateId = await serving.estimateIdOf(token)
  if (estimateId !== undefined) return { estimateId, path: `/estimate/${token}`, request, reply }
  sendNotValid(serving, reply)
  return undefined
}
