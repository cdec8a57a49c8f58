import type { AnchorHTMLAttributes } from 'react'
import { isPlainClick } from '#web/lib/browser/plain-click.ts'
import { navigateSearch } from './use-search-params.ts'

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'onClick'> & {
  /** The full query string of the link, with its question mark. */
  search: string
  /** Called before the link navigates in this tab; not called when it opens in a new tab. */
  onFollow?: () => void
}

/**
 * A link to another view of the dashboard that navigates without a page load. New tabs and copying the link work as
 * usual.
 */
export function SearchLink({ search, onFollow, children, ...rest }: Props) {
  return (
    <a
      {...rest}
      href={search}
      onClick={(event) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        onFollow?.()
        navigateSearch(search)
      }}
    >
      {children}
    </a>
  )
}
