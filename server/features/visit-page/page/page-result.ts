import { html, type Markup } from '#server/platform/http/pages/html.ts'

/*
 * The URL of each form ends with '#result', and the page in the response has one element with that id. The browser
 * scrolls to it and focuses it, without JavaScript and also after a redirect (RFC 9110, 10.2.2). A page that shows an
 * error beside a field has no such element; the field has the focus.
 */

/** The attributes of the element that states the result. */
export const resultAttributes = html`id="result" tabindex="-1"`

/** The URL to which a form posts. */
export const postTo = (path: string): string => `${path}#result`

/** The heading of a page; it also states the result when no other element does. */
export function pageHeading(text: string, isResult = true): Markup {
  return html`<h1 ${isResult ? resultAttributes : notByTab}>${text}</h1>`
}

const notByTab = html`tabindex="-1"`

/** A box with the result of a form, which screen readers announce. */
export function noticeBox(text: string | undefined): Markup | undefined {
  return text === undefined
    ? undefined
    : html`<p class="visit-message" ${resultAttributes} role="status">${text}</p>`
}

/** A field with an error: the attributes of its input, and the message below it. */
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
