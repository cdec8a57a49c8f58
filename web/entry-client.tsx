import { hydrateRoot } from 'react-dom/client'
import { reloadWhenOutdated } from './app/reload-when-outdated.ts'
import { pageAt } from './app/pages.ts'
import { PublicApp } from './app/public-app.tsx'
import { Router } from './lib/router.tsx'
import './styles/site.css'

/** The public pages: takes over the prerendered HTML once the first page's code is here. */
async function start() {
  reloadWhenOutdated()
  await pageAt(location.pathname).load()
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no #root to take over.')
  hydrateRoot(
    root,
    <Router preload={(pathname) => void pageAt(pathname).load()}>
      <PublicApp />
    </Router>,
  )
}

void start()
