import type { ReactNode } from 'react'
import { timeAgo } from '#domain/text/time-ago.ts'
import { Notice } from '#web/ui/notice/notice.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { useNameOf } from '#web/dashboard/kit/staff/staff-name.tsx'
import type { FormConflict } from './use-versioned-form.ts'
import './version-conflict-notice.css'

type Props = {
  /**
   * The latest change by someone else, and the current time, so that the notice can state the age of the change;
   * undefined for records without this data.
   */
  change?: { readonly by: string; readonly at: string; readonly now: Date }
  /** The list of the changes that someone else made, collapsed by default. */
  details?: ReactNode
  children?: ReactNode
}

/**
 * The notice that someone else changed a record while the user was typing. `children` explains what happens to the
 * typed values.
 */
export function VersionConflictNotice({ change, details, children }: Props) {
  const nameOf = useNameOf()
  const title = change
    ? `${nameOf(change.by, change.at)} changed this ${timeAgo(new Date(change.at), change.now)}.`
    : 'Someone else changed this record.'
  return (
    <Notice tone="bad" title={title}>
      {details && (
        <details className="version-conflict">
          <summary className="disclosure">Show the changes</summary>
          {details}
        </details>
      )}
      {children}
    </Notice>
  )
}

/**
 * Lists the fields that both the user and someone else changed. The next save stores the user's values, unless the user
 * chooses the values that are already saved.
 */
export function TheirValues({ overlaps }: Pick<FormConflict, 'overlaps'>) {
  if (overlaps.length === 0) return null
  return (
    <ul className="version-conflict-fields" aria-label="Changed by both of you">
      {overlaps.map(({ label, takeTheirs }) => (
        <li key={label}>
          You both changed: {label}.{' '}
          <Button compact level="quiet" onClick={takeTheirs}>
            Use theirs<span className="visually-hidden"> for {label}</span>
          </Button>
        </li>
      ))}
    </ul>
  )
}
