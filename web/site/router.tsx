/**
 * The router of the public document: it provides the current path and query string as React state, and links that
 * change the page without loading a document. The site has its own router, because react-router alone would use 12 kB
 * of the 75 kB that the home page is allowed to load (docs/decisions). The functions of this router have the same names
 * and behavior as those of react-router. A page change is a transition: the old page stays until the code of the new
 * one is loaded.
 */
import {
  createContext,
  startTransition,
  useContext,
  useEffect,
  useMemo,
  useState,
  type AnchorHTMLAttributes,
  type MouseEvent,
  type ReactNode,
} from 'react'
import { isPlainClick } from '#web/lib/browser/plain-click.ts'

export type Location = {
  pathname: string
  /**
   * The query string: '' or '?a=b'. The query string is always '' in prerendered HTML, so read it only after hydration
   * (use-hydrated.ts).
   */
  search: string
}

type Navigate = (to: string, options?: { replace?: boolean }) => void

type RouterValue = { location: Location; navigate: Navigate; preload: (pathname: string) => void }

const RouterContext = createContext<RouterValue | null>(null)

const currentLocation = (): Location => ({
  pathname: window.location.pathname,
  search: window.location.search,
})

/**
 * `pathname` is set only while prerendering; in the browser, the router reads the path from the browser's URL.
 * `preload` is called when a visitor points at a link.
 */
export function Router(props: {
  pathname?: string
  preload?: (pathname: string) => void
  children: ReactNode
}) {
  const { pathname, preload = () => {}, children } = props
  const [location, setLocation] = useState<Location>(() =>
    pathname === undefined ? currentLocation() : { pathname, search: '' },
  )
  useEffect(() => {
    const follow = () => startTransition(() => setLocation(currentLocation()))
    window.addEventListener('popstate', follow)
    return () => window.removeEventListener('popstate', follow)
  }, [])
  const value = useMemo<RouterValue>(
    () => ({
      location,
      preload,
      navigate(to, options) {
        // Every page change, also with the Back button, scrolls to the top. A reload restores the scroll position.
        history.scrollRestoration = 'manual'
        if (options?.replace) history.replaceState(null, '', to)
        else history.pushState(null, '', to)
        startTransition(() => setLocation(currentLocation()))
      },
    }),
    [location, preload],
  )
  return <RouterContext value={value}>{children}</RouterContext>
}

function useRouter(): RouterValue {
  const router = useContext(RouterContext)
  if (!router) throw new Error('Outside <Router>.')
  return router
}

export function useLocation(): Location {
  return useRouter().location
}

/** `navigate('/pay-invoice')` opens a page like a link; `{ replace: true }` adds no history entry. */
export function useNavigate(): Navigate {
  return useRouter().navigate
}

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & { to: string }

/**
 * A plain `<a href>` that the router handles: new tabs, copying the link, and browsers without JavaScript work as
 * usual.
 */
export function Link({ to, onClick, children, ...rest }: LinkProps) {
  const { location, navigate, preload } = useRouter()
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || !isPlainClick(event) || rest.target) return
    event.preventDefault()
    if (to === location.pathname) window.scrollTo({ top: 0 })
    navigate(to, { replace: to === location.pathname + location.search })
  }
  const prepare = () => preload(to)
  return (
    <a {...rest} href={to} onClick={follow} onPointerEnter={prepare} onFocus={prepare}>
      {children}
    </a>
  )
}

/** A link that gets `aria-current="page"` when its target is the current page. */
export function NavLink(props: LinkProps) {
  const { pathname } = useLocation()
  return <Link {...props} aria-current={pathname === props.to ? 'page' : undefined} />
}
