import { emptyQuoteForm, type QuoteForm } from '#domain/quotes/quote-form.ts'
import { createTabStorage, readStoredTexts } from '#web/lib/forms/tab-storage.ts'

/** The draft of the quote form, kept for the tab. A stored request also deletes it. */
export const quoteDraft = createTabStorage<QuoteForm>('quote-draft', (stored) =>
  readStoredTexts(stored, emptyQuoteForm),
)
