import { emptyQuoteForm, type QuoteForm } from '#domain/quote-form.ts'

const key = 'quote-draft'

/*
 * In the tab's session storage, so that a look at another page, a reload or a phone that drops the tab
 * keeps what was typed. It ends with the tab or with the request. Without storage it ends with the page.
 */

export function rememberDraft(typed: QuoteForm): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(typed))
  } catch {
    // Storage is full or forbidden.
  }
}

export function recallDraft(): QuoteForm {
  const draft = { ...emptyQuoteForm }
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? '{}')
    for (const name of Object.keys(draft) as (keyof QuoteForm)[]) {
      const text = (stored as Record<string, unknown>)[name]
      if (typeof text === 'string') draft[name] = text
    }
  } catch {
    // As above, or somebody else's text.
  }
  return draft
}
