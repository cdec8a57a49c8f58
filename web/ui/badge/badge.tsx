import type { ReactNode } from 'react'

export type BadgeTone =
  | 'neutral'
  | 'ok'
  | 'info'
  | 'warn'
  | 'danger'
  | 'violet'
  | 'ring'
  | 'solid'
  | 'strong'

/** A tag with a paint stripe. The text has the meaning; the tone only supports it. `caps` is for COMPLETED. */
export function Badge({
  tone = 'neutral',
  caps,
  children,
}: {
  tone?: BadgeTone
  caps?: boolean
  children: ReactNode
}) {
  const classes = ['badge', tone !== 'neutral' && `badge-${tone}`, caps && 'badge-caps']
  return <span className={classes.filter(Boolean).join(' ')}>{children}</span>
}
