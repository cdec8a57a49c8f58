import { isVersionConflict } from '#web/lib/data/version-conflict.ts'
import { Notice } from '#web/ui/notice/notice.tsx'
import { VersionConflictNotice } from '#web/dashboard/kit/forms/version-conflict-notice.tsx'
import type { CustomerChange } from './use-customer-change.ts'

type Props = {
  change: Pick<CustomerChange<never>, 'error' | 'failure'>
  /** The current values of the record, in one line. */
  now: string
  /** Saves the typed values over the other person's change. */
  onSaveOver: () => void
}

/**
 * Shows why a form was not saved. After a version conflict it shows the current values and offers to overwrite them.
 */
export function SaveFailureNotice({ change, now, onSaveOver }: Props) {
  const { error, failure } = change
  if (!failure) return null
  if (isVersionConflict(error)) {
    return (
      <VersionConflictNotice>
        Current value: {now}. Your changes are kept.{' '}
        <button type="button" className="action" onClick={onSaveOver}>
          Save my version
        </button>
      </VersionConflictNotice>
    )
  }
  return (
    <Notice tone="bad" title="Could not save.">
      {failure}
    </Notice>
  )
}
