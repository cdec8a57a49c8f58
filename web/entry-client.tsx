import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { keepFocus } from './app/keep-focus.ts'
import { reloadWhenOutdated } from './app/reload-when-outdated.ts'
import { pageAt } from './app/pages.ts'
import { PublicApp } from './app/public-app.tsx'
import { Router } from './lib/router.tsx'
import './styles/site.css'

/** The public pages: takes over the prerendered HTML once the first page's code is here. */
async function start() {
  reloadWhenOutdated()
  keepFocus()
  await Promise.all([pageAt(location.pathname).load(), afterFirstPaint()])
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no #root to take over.')
  // As a transition React works in slices, so that a tap is answered in between.
  startTransition(() => {
    hydrateRoot(
      root,
      <Router preload={(pathname) => void pageAt(pathname).load()}>
        <PublicApp />
      </Router>,
    )
  })
}

/** The HTML is readable as it is: it is shown before the processor goes to making it alive. */
function afterFirstPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    // A tab in the background paints nothing.
    setTimeout(resolve, 200)
  })
}

void start()
