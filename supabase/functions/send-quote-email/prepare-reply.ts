import type { ErrorCode } from '#contracts/api/errors.ts'
import type { QuoteEmailRequest } from '#contracts/api/server-functions.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { isSingleAddress } from '#emails/layout/recipient.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'
import type { QuoteRequestRecord } from '#emails/quotes/quote-confirmation.ts'
import { writeQuoteReply } from '#emails/quotes/quote-reply.ts'

type QuoteRequest = Pick<QuoteRequestRecord, 'id' | 'name' | 'email'>

/** The fields of a reply that are stored in the log of sent replies, by column name. */
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

/** Checks a reply to a quote request, and creates its email and its log entry. */
export async function prepareReply(
  shop: Shop,
  request: QuoteRequest | undefined,
  input: QuoteEmailRequest,
): Promise<
  Result<{ readonly email: ShopEmail; readonly log: ReplyLog }, { readonly code: ErrorCode }>
> {
  if (input.subject.trim() === '' || input.finalBody.trim() === '') {
    return refused({ code: 'REPLY_EMPTY' })
  }
  if (!request) return refused({ code: 'QUOTE_NOT_FOUND' })
  if (!isSameAddress(request.email, input.recipientEmail)) {
    return refused({ code: 'WRONG_RECIPIENT' })
  }
  if (!isSingleAddress(request.email)) return refused({ code: 'NO_VALID_ADDRESS' })
  const reply = { subject: input.subject, body: input.finalBody }
  return accepted({ email: await writeQuoteReply(shop, request, reply), log: toLog(input) })
}

function isSameAddress(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase()
}
