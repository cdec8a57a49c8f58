import type { ReactNode } from 'react'

/**
 * The `<main>` of every public page, the target of the skip link and of the focus after a page change. Classes:
 * `inner-page` is the main column of pages such as the booking page, `success` the sky-blue section that reports a
 * success; a page that starts with `success` or `hero` gets the sky-blue navigation bar by CSS alone.
 */
export function PageMain({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className={className}>
      {children}
    </main>
  )
}

/** The title and the introduction of a page other than the home page. */
export function PageHead({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <header className="page-head">
      <h1 tabIndex={-1}>{title}</h1>
      {children && <p>{children}</p>}
    </header>
  )
}
