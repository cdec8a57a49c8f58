import { html, type Markup } from '#server/platform/http/pages/html.ts'

/*
 * Where a form leads. The address of each form ends with '#result', and the page that answers it has one element of
 * that id: the browser scrolls there and moves the focus, without a script, and after a redirect too (RFC 9110,
 * 10.2.2). A page that asks for a field again has no such element; the field takes the focus itself.
 */

/** The attributes of the element that states the result. */
export const resultAttributes = html`id="result" tabindex="-1"`

/** The address that a form posts to. */
export const postTo = (path: string): string => `${path}#result`

/** The first line of a page; it states the result where nothing else on the page does. */
export function pageHeading(text: string, isResult = true): Markup {
  return html`<h1 ${isResult ? resultAttributes : notByTab}>${text}</h1>`
}

const notByTab = html`tabindex="-1"`

/** What a form came to, read out. */
export function noticeBox(text: string | undefined): Markup | undefined {
  return text === undefined
    ? undefined
    : html`<p class="visit-message" ${resultAttributes} role="status">${text}</p>`
}

/** A field that is asked for again: what its input needs, and the sentence below it. */
export function refusedField(
  id: string,
  error: string | undefined,
): { readonly attributes?: Markup; readonly message?: Markup } {
  if (error === undefined) return {}
  const describes = `${id}-error`
  return {
    attributes: html`aria-invalid="true" aria-describedby="${describes}" autofocus`,
    message: html`<p class="field-error" id="${describes}" role="alert">${error}</p>`,
  }
}
