import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { Router } from './router.tsx'
import { readShopOfDocument } from '#web/lib/browser/read-shop-of-document.ts'
import { ShopContext } from '#web/lib/shop.ts'
import { openDirections } from '#web/lib/browser/directions.ts'
import { keepFocus } from '#web/lib/browser/keep-focus.ts'
import { pageAt } from './pages.ts'
import { PublicApp } from './public-app.tsx'
import { reloadWhenOutdated } from '#web/lib/browser/reload-when-outdated.ts'
import { applyWebFont } from '#web/lib/browser/apply-web-font.ts'

/**
 * Hydrates the prerendered HTML after the browser has loaded the page's code. Calls `onAwake` as soon as React handles
 * the events of the page.
 */
export async function enhancePage(
  face: Promise<FontFace | undefined>,
  onAwake: () => void,
): Promise<void> {
  void applyWebFont(face)
  reloadWhenOutdated()
  keepFocus()
  document.addEventListener('click', openDirections)
  await pageAt(location.pathname).load()
  const shop = readShopOfDocument()
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no element #root to hydrate.')
  // In a transition React hydrates in slices, so that the page responds to taps between two slices.
  startTransition(() => {
    hydrateRoot(
      root,
      <ShopContext value={shop}>
        <Router preload={(pathname) => void pageAt(pathname).load()}>
          <PublicApp onAwake={onAwake} />
        </Router>
      </ShopContext>,
    )
  })
}
