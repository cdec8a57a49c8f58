import * as z from 'zod/mini'
import { apiErrors, type ErrorCode } from '#contracts/api/errors.ts'
import {
  type QuoteEmailRequest,
  type QuoteEmailResponse,
  quoteEmailRequest,
} from '#contracts/api/server-functions.ts'
import type { Shop } from '#domain/shop/shop.ts'
import type { QuoteRequestRecord } from '#emails/quotes/quote-confirmation.ts'
import { readJson } from '../_shared/read-json.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'
import type { FunctionCaller } from '../_shared/function-caller.ts'
import { prepareReply, type ReplyLog } from './prepare-reply.ts'

export type QuoteEmailDependencies = {
  /** Reads the details of the shop that sends the email. */
  readShop(): Promise<Shop>
  findQuoteRequest(
    id: string,
  ): Promise<Pick<QuoteRequestRecord, 'id' | 'name' | 'email'> | undefined>
  /**
   * Logs the reply and attempts to send it immediately. Several simultaneous calls for one reply send only one email.
   * Returns true when the mail server has accepted the email and the quote request is completed. After a result of
   * false, the reply is not sent again automatically.
   */
  send(email: ShopEmail, log: ReplyLog): Promise<boolean>
}

/** Replies to a quote request by email (docs/product.md 7.3). Only an admin may call this function. */
export function createHandler(dependencies: QuoteEmailDependencies) {
  return async (request: Request, caller: FunctionCaller): Promise<Response> => {
    if (request.method !== 'POST') return refuse(405, 'Please use POST.')
    if (!caller.isAdmin) {
      return refuse(caller.role === 'authenticated' ? 403 : 401, 'Please sign in as the admin.')
    }
    const parsed = z.safeParse(quoteEmailRequest, await readJson(request))
    if (!parsed.success) return refuse(400, 'The request could not be read.')
    return reply(dependencies, parsed.data)
  }
}

async function reply(
  dependencies: QuoteEmailDependencies,
  input: QuoteEmailRequest,
): Promise<Response> {
  const request = await dependencies.findQuoteRequest(input.quoteRequestId)
  const shop = await dependencies.readShop()
  const prepared = await prepareReply(shop, request, input)
  if (!prepared.ok) return refuseWith(prepared.refusal.code)
  const { email, log } = prepared.value
  return (await dependencies.send(email, log))
    ? respond(200, { success: true })
    : refuseWith('REPLY_NOT_SENT')
}

function refuseWith(code: ErrorCode): Response {
  const { status, message } = apiErrors[code]
  return refuse(status, message)
}

function refuse(status: number, error: string): Response {
  return respond(status, { success: false, error })
}

function respond(status: number, body: QuoteEmailResponse): Response {
  return Response.json(body, { status })
}
