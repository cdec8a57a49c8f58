import { emptyQuoteForm, type QuoteForm } from '#domain/quotes/quote-form.ts'
import { createTabStorage, readStoredTexts } from '#web/lib/forms/tab-storage.ts'

/** What was typed into the quote form. It also ends with the request. */
export const quoteDraft = createTabStorage<QuoteForm>('quote-draft', (stored) =>
  readStoredTexts(stored, emptyQuoteForm),
)
