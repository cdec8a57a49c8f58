import { emptyQuoteForm, type QuoteForm } from '#domain/quotes/quote-form.ts'
import { createDraftStorage, readStoredTexts } from '#web/lib/forms/draft-storage.ts'

/** The draft of the quote form, kept for the tab. A stored request also deletes it. */
export const quoteDraft = createDraftStorage<QuoteForm>('quote-draft', (stored) =>
  readStoredTexts(stored, emptyQuoteForm),
)
