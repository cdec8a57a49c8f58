import { addressLine, type Shop } from '#domain/shop/shop.ts'
import { html, type Markup } from '#server/platform/http/pages/html.ts'
import { postTo } from './page-result.ts'

/** A glyph that the frame of the page defines (web/customer-pages/server-page-frame.tsx). */
export function icon(
  name: 'calendar' | 'pin' | 'phone' | 'lock' | 'arrow-left' | 'chevron-left' | 'chevron-right',
): Markup {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <use href="#icon-${name}" />
  </svg>`
}

export function phoneLink({ phone }: Shop): Markup {
  return html`<a href="${phone.href}">${phone.display}</a>`
}

/** Whose paper it is where a page is printed; a screen has the bar and the footer. */
export function letterhead(shop: Shop): Markup {
  return html`<p class="visit-letterhead">
    <b>${shop.name}</b><span>${addressLine(shop)}<br />${shop.phone.display}</span>
  </p>`
}

type ActionButton = {
  /** Below the page's own path. */
  readonly action: string
  readonly fields: Readonly<Record<string, string | number>>
  readonly label: string
  /** What the button says while it works. */
  readonly busy: string
  readonly variant: 'primary' | 'secondary' | 'quiet' | 'danger'
}

/** A button that changes something: only a POST does. */
export function actionButton(
  path: string,
  { action, fields, label, busy, variant }: ActionButton,
): Markup {
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  )
  return html`<form method="post" action="${postTo(`${path}/${action}`)}">
    ${inputs}<button class="button button-${variant}" type="submit" data-busy="${busy}">
      ${label}
    </button>
  </form>`
}
