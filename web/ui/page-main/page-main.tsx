import type { ReactNode } from 'react'

/**
 * The `<main>` of every public page; the skip link and the focus after a route change land here.
 * `inner-page` is the usual column of inner pages, `success` the sky field of a success; a page that
 * starts with `success` or `hero` gets the sky navigation bar by CSS alone.
 */
export function PageMain({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className={className}>
      {children}
    </main>
  )
}

/** Title and first sentence of an inner page. */
export function PageHead({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className="page-head">
      <h1 tabIndex={-1}>{title}</h1>
      {children && <p>{children}</p>}
    </div>
  )
}
