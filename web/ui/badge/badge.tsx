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

/**
 * A small label with a colored stripe. The text states the meaning; the color (`tone`) only supports it. `caps` shows
 * the text in capital letters, as for COMPLETED.
 */
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
