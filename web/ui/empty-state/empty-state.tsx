import type { ReactNode } from 'react'

/**
 * The message of an empty list: a plain card on the public site, a box with a dashed border (`dashed`) in the
 * dashboard.
 */
export function EmptyState({
  title,
  children,
  dashed,
}: {
  title: ReactNode
  children?: ReactNode
  dashed?: boolean
}) {
  if (dashed) {
    return (
      <div className="empty-box">
        <p>{title}</p>
        {children}
      </div>
    )
  }
  return (
    <div className="card panel empty-card">
      <h3>{title}</h3>
      {children && <p className="muted">{children}</p>}
    </div>
  )
}
