import './styles/dashboard.css'
import { hydrateRoot } from 'react-dom/client'
import { AdminApp } from './app/admin-app.tsx'
import { keepFocus } from './app/keep-focus.ts'
import { reloadWhenOutdated } from './app/reload-when-outdated.ts'
import { readShopOfDocument, ShopContext } from './lib/shop.ts'

/** The dashboard, apart from the public pages: it takes over the HTML of pages/admin-dashboard.html. */
reloadWhenOutdated()
keepFocus()
const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root to take over.')
hydrateRoot(
  root,
  <ShopContext value={readShopOfDocument()}>
    <AdminApp />
  </ShopContext>,
)
