import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { Router } from './router.tsx'
import { readShopOfDocument, ShopContext } from '#web/lib/shop.ts'
import { keepFocus } from '#web/lib/browser/keep-focus.ts'
import { pageAt } from './pages.ts'
import { PublicApp } from './public-app.tsx'
import { reloadWhenOutdated } from '#web/lib/browser/reload-when-outdated.ts'
import { applyWebFont } from '#web/lib/browser/apply-web-font.ts'

/** Makes the prerendered HTML alive once the first page's code is here; `onAwake` is called when it is. */
export async function enhancePage(
  face: Promise<FontFace | undefined>,
  onAwake: () => void,
): Promise<void> {
  void applyWebFont(face)
  reloadWhenOutdated()
  keepFocus()
  await pageAt(location.pathname).load()
  const shop = readShopOfDocument()
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no #root to take over.')
  // As a transition React works in slices, so that a tap is answered in between.
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
