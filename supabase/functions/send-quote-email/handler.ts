import * as z from 'zod/mini'
import {
  type QuoteEmailRequest,
  type QuoteEmailResponse,
  quoteEmailRequest,
} from '#contracts/api/server-functions.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { isSingleAddress } from '#emails/layout/untrusted-text.ts'
import type { QuoteRequestRecord } from '#emails/quotes/quote-confirmation.ts'
import { writeQuoteReply } from '#emails/quotes/quote-reply.ts'
import { readJson } from '../_shared/read-json.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'
import type { FunctionCaller } from '../_shared/function-caller.ts'

export type QuoteEmailDependencies = {
  /** Reads the shop that sends the email. */
  readShop(): Promise<Shop>
  findQuoteRequest(
    id: string,
  ): Promise<Pick<QuoteRequestRecord, 'id' | 'name' | 'email'> | undefined>
  /**
   * Logs the reply and attempts to send it now, once for simultaneous calls. Returns true when the mail server has
   * accepted it and the request is completed; after false, nothing is sent later.
   */
  send(email: ShopEmail, log: ReplyLog): Promise<boolean>
}

/** Replies to a quote request by email (docs/product.md 7.3). Only an admin may call this. */
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

/** The logged fields of a reply, by column name. */
export type ReplyLog = ReturnType<typeof toLog>

function toLog(reply: QuoteEmailRequest) {
  return {
    recipient_name: reply.recipientName,
    subject: reply.subject,
    original_draft: reply.originalDraft,
    polished_draft: reply.polishedDraft ?? null,
    final_body: reply.finalBody,
    vehicle_info: reply.vehicleInfo,
  }
}

async function reply(
  dependencies: QuoteEmailDependencies,
  input: QuoteEmailRequest,
): Promise<Response> {
  if (input.subject.trim() === '' || input.finalBody.trim() === '') {
    return refuse(400, 'The email needs a subject and a text.')
  }
  const request = await dependencies.findQuoteRequest(input.quoteRequestId)
  if (!request) return refuse(404, 'This quote request no longer exists.')
  if (!isSameAddress(request.email, input.recipientEmail)) {
    return refuse(409, 'A reply goes to the address of its quote request only.')
  }
  if (!isSingleAddress(request.email)) {
    return refuse(422, 'This customer has no valid email address. Please call.')
  }
  const shop = await dependencies.readShop()
  const email = await writeQuoteReply(shop, request, {
    subject: input.subject,
    body: input.finalBody,
  })
  return (await dependencies.send(email, toLog(input)))
    ? respond(200, { success: true })
    : refuse(502, 'The mail server did not accept the email. It was not sent.')
}

function isSameAddress(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase()
}

function refuse(status: number, error: string): Response {
  return respond(status, { success: false, error })
}

function respond(status: number, body: QuoteEmailResponse): Response {
  return Response.json(body, { status })
}
