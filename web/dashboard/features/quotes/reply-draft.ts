import type { QuoteReply } from '#domain/quotes/quote-reply.ts'

/*
 * Replies that were begun and neither sent nor discarded, for as long as the page lives: going back, a
 * new login or a browser that closes the dialog by itself lose nothing. Customers' data stays in memory.
 */
const begun = new Map<string, QuoteReply>()

export function saveReplyDraft(quoteId: string, reply: QuoteReply): void {
  begun.set(quoteId, reply)
}

export function loadReplyDraft(quoteId: string): QuoteReply | undefined {
  return begun.get(quoteId)
}

export function clearReplyDraft(quoteId: string): void {
  begun.delete(quoteId)
}
