import type { QuoteReply } from '#domain/quotes/quote-reply.ts'

/*
 * Drafts of replies that were neither sent nor discarded, kept until the page is reloaded. Navigation, a new
 * login or a dialog closed by the browser do not lose them. They stay in memory because they contain
 * customers' data.
 */
const drafts = new Map<string, QuoteReply>()

export function saveReplyDraft(quoteId: string, reply: QuoteReply): void {
  drafts.set(quoteId, reply)
}

export function loadReplyDraft(quoteId: string): QuoteReply | undefined {
  return drafts.get(quoteId)
}

export function clearReplyDraft(quoteId: string): void {
  drafts.delete(quoteId)
}
