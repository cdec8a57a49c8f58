import '#web/styles/dashboard.css'
import { hydrateRoot } from 'react-dom/client'
import { AdminApp } from './admin-app.tsx'
import { keepFocus } from '#web/lib/browser/keep-focus.ts'
import { reloadWhenOutdated } from '#web/lib/browser/reload-when-outdated.ts'
import { readShopOfDocument } from '#web/lib/browser/read-shop-of-document.ts'
import { ShopContext } from '#web/lib/shop.ts'

/**
 * The entry script of the dashboard, separate from the entry script of the public site. React hydrates the HTML that
 * web/prerender has rendered.
 */
reloadWhenOutdated()
keepFocus()
const root = document.getElementById('root')
if (!root) throw new Error('The page has no element #root to hydrate.')
hydrateRoot(
  root,
  <ShopContext value={readShopOfDocument()}>
    <AdminApp />
  </ShopContext>,
)
