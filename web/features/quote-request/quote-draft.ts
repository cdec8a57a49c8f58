import { emptyQuoteForm, type QuoteForm } from '#domain/quote-form.ts'

/** What was typed survives a look at another page; it is forgotten with the tab. */
let draft: QuoteForm = emptyQuoteForm

export function rememberDraft(typed: QuoteForm): void {
  draft = typed
}

export function recallDraft(): QuoteForm {
  return draft
}
