import { addressLine, type Shop } from '#domain/shop/shop.ts'
import { html, type Markup } from '#server/platform/http/pages/html.ts'

/** Every page of the sandbox: who asks for money, and that none moves. */
export function layout(shop: Shop, title: string, main: Markup): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} | ${shop.name}</title>
        <link rel="icon" href="/sandbox/assets/favicon.svg" type="image/svg+xml" />
        <link
          rel="preload"
          href="/sandbox/assets/archivo-site.woff2"
          as="font"
          type="font/woff2"
          crossorigin
        />
        <link rel="stylesheet" href="/sandbox/assets/style.css" />
      </head>
      <body class="sandbox">
        <a class="skip-link" href="#main">Skip to content</a>
        <header>
          <p class="test-mode"><b>Test mode:</b> no card is charged</p>
          <div class="site-header">
            <div class="page-width">
              <a class="brand" href="/">${mark}<span>${shop.name}</span></a>
            </div>
          </div>
        </header>
        <main id="main" class="page-width inner-page">${main}</main>
        <footer class="dark-band site-footer">
          <div class="page-width">
            <span>${shop.name}</span><span>${addressLine(shop)}</span><span>Payment sandbox</span>
          </div>
        </footer>
      </body>
    </html>`.text
}

const mark = html`<svg viewBox="0 0 40 40" aria-hidden="true">
  <path d="M35.2 28.8 20 37.5 4.8 28.8V11.2L20 2.5l15.2 8.7Z" fill="var(--mark,var(--tt-ink))" />
  <circle
    cx="20"
    cy="20"
    r="10.5"
    fill="none"
    stroke="var(--mark-line,var(--tt-ground))"
    stroke-width="1.6"
    opacity=".55"
  />
  <path d="M14.2 40 25.8 0" stroke="var(--mark-line,var(--tt-ground))" stroke-width="10.5" />
  <path d="M14.2 40 25.8 0" stroke="var(--tt-signal)" stroke-width="6.5" />
</svg>`

/** A page that only says something: closed checkouts, unknown addresses. */
export function messagePage(
  shop: Shop,
  title: string,
  message: string,
  action?: { href: string; label: string },
): string {
  return layout(
    shop,
    title,
    html`<div class="narrow-column">
      <div class="page-head">
        <h1>${title}</h1>
        <p>${message}</p>
      </div>
      ${action && html`<div class="button-row"><a class="button button-secondary" href="${action.href}">${action.label}</a></div>`}
    </div>`,
  )
}
