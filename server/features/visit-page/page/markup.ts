import { addressLine, type Shop } from '#domain/shop/shop.ts'
import { html, type Markup } from '#server/platform/http/pages/html.ts'
import { postTo } from './page-result.ts'

/** An icon from the frame of the page (web/customer-pages/server-page-frame.tsx). */
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

/** The details of the shop at the top of a printed page; on a screen, the header and the footer show them. */
export function letterhead(shop: Shop): Markup {
  return html`<p class="visit-letterhead">
    <b>${shop.name}</b><span>${addressLine(shop)}<br />${shop.phone.display}</span>
  </p>`
}

type ActionButton = {
  /** The path of the action below the path of the page. */
  readonly action: string
  readonly fields: Readonly<Record<string, string | number>>
  readonly label: string
  /** The text of the button during the request. */
  readonly busy: string
  readonly variant: 'primary' | 'secondary' | 'quiet' | 'danger'
}

/** A form with a button that changes something by a POST request. */
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
