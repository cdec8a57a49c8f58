import type { AnchorHTMLAttributes } from 'react'
import { isPlainClick } from '#web/lib/browser/plain-click.ts'
import { navigateSearch } from './use-search-params.ts'

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'onClick'> & {
  /** The whole query string it leads to, with its question mark. */
  search: string
  /** Called before it is followed here; not when it opens elsewhere. */
  onFollow?: () => void
}

/** A link to another view of this document, followed without a load; new tabs and copying as ever. */
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
