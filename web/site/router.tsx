/**
 * The router of the public document: the address as React state, links that change it without a load.
 * Ours because react-router costs 12 kB of the 75 kB the home page may have (docs/decisions); the names
 * and behaviour are the same. A page change is a transition: the old page stays until the new one's code
 * is here.
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
  /** '' or '?a=b'. Always '' in prerendered HTML: read it only after hydration (use-hydrated.ts). */
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
 * `pathname` is given when prerendering; in the browser the address bar decides.
 * `preload` is called when a link is about to be followed.
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
        // Every page change starts at the top, Back included; a first page's reload keeps its place.
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

/** `navigate('/pay-invoice')` goes there as a link would; `{ replace: true }` leaves no history entry. */
export function useNavigate(): Navigate {
  return useRouter().navigate
}

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & { to: string }

/** A plain `<a href>` that the router follows: new tabs, copying and no JavaScript work as ever. */
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

/** A Link that says `aria-current="page"` on its own page. */
export function NavLink(props: LinkProps) {
  const { pathname } = useLocation()
  return <Link {...props} aria-current={pathname === props.to ? 'page' : undefined} />
}
