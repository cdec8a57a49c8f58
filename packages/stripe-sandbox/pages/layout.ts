import type { Account } from '../account.ts'
import { html, Markup } from './html.ts'

/** Renders a page with the account's name and postal address, and a note that no card is charged. */
export function layout(account: Account, title: string, main: Markup): string {
  const { businessName, supportAddress, branding } = account
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} | ${businessName}</title>
        ${branding && brandAssets}
        <link rel="stylesheet" href="/sandbox/assets/style.css" />
      </head>
      <body>
        <a class="skip-link" href="#main">Skip to content</a>
        <header>
          <p class="test-mode"><b>Test mode:</b> no card is charged</p>
          <div class="page-header">
            <div class="page-width">
              <a class="brand" href="/">
                ${branding && new Markup(branding.logo)}<span>${businessName}</span>
              </a>
            </div>
          </div>
        </header>
        <main id="main" class="page-width page-main">${main}</main>
        <footer class="page-footer">
          <div class="page-width">
            <span>${businessName}</span><span>${supportAddress}</span><span>Payment sandbox</span>
          </div>
        </footer>
      </body>
    </html>`.text
}

const brandAssets = html`<link rel="icon" href="/sandbox/assets/icon.svg" type="image/svg+xml" />
  <link rel="preload" href="/sandbox/assets/brand.woff2" as="font" type="font/woff2" crossorigin />`

/** Renders a page with a heading, one sentence and an optional link, for closed checkouts and unknown URLs. */
export function messagePage(
  account: Account,
  title: string,
  message: string,
  action?: { href: string; label: string },
): string {
  return layout(
    account,
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
