import { emptyQuoteForm, type QuoteForm } from '#domain/quote-form.ts'
import { createTabMemory, storedTexts } from '#web/lib/tab-memory.ts'

/** What was typed into the quote form. It also ends with the request. */
export const quoteDraft = createTabMemory<QuoteForm>('quote-draft', (stored) =>
  storedTexts(stored, emptyQuoteForm),
)
