import { useEffect, useRef } from 'react'
import { useLocation } from './router.tsx'
import { useShop } from '#web/lib/shop.ts'
import { pageAt } from './pages.ts'

/**
 * Makes a page change behave like a full load: scrolls to the top, sets the title, and focuses the new headline, so
 * that a screen reader reads it.
 */
export function usePageChange(): void {
  const { pathname } = useLocation()
  const shop = useShop()
  const previous = useRef(pathname)
  useEffect(() => {
    if (previous.current === pathname) return
    previous.current = pathname
    document.title = pageAt(pathname).titleOf(shop)
    scrollTo({ top: 0, behavior: 'instant' })
    const find = (selector: string) => document.querySelector<HTMLElement>(selector)
    const target = find('main h1[tabindex]') ?? find('main')
    target?.focus({ preventScroll: true })
  }, [pathname, shop])
}
