import type { ReactNode } from 'react'
import { Icon, type IconName } from '#web/ui/icon/icon.tsx'

const icons = {
  plain: 'message',
  warn: 'alert',
  bad: 'alert',
  good: 'check',
} as const satisfies Record<string, IconName>

/** A message in the page. Screen readers announce a message of the tone `bad` immediately (role alert). */
export function Notice({
  tone = 'plain',
  title,
  children,
}: {
  tone?: 'plain' | 'warn' | 'bad' | 'good'
  title?: ReactNode
  children?: ReactNode
}) {
  return (
    <div
      className={tone === 'plain' ? 'notice' : `notice notice-${tone}`}
      role={tone === 'bad' ? 'alert' : undefined}
    >
      <Icon name={icons[tone]} />
      <div>
        {title && <b>{title}</b>}
        {children && <div>{children}</div>}
      </div>
    </div>
  )
}
