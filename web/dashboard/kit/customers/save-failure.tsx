import type { FormConflict } from '#web/dashboard/kit/forms/use-versioned-form.ts'
import {
  TheirValues,
  VersionConflictNotice,
} from '#web/dashboard/kit/forms/version-conflict-notice.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { failureMessage } from './use-customer-change.ts'

type Props = {
  /** The error of the last save; null when the save succeeded. */
  error: unknown
  conflict: FormConflict
  /** The values that someone else saved, in one line. */
  now: string
}

/**
 * Shows why the server did not save a form. If someone else changed a field that the user also changed, the notice
 * shows the values that are saved now and lets the user choose.
 */
export function SaveFailureNotice({ error, conflict, now }: Props) {
  if (conflict.isOpen) {
    return (
      <VersionConflictNotice>
        Current value: {now}. Your changes are kept.{' '}
        <Button compact onClick={conflict.keepMine}>
          Save my version
        </Button>
        <TheirValues overlaps={conflict.overlaps} />
      </VersionConflictNotice>
    )
  }
  if (!(error instanceof Error)) return null
  return (
    <Notice tone="bad" title="Could not save.">
      {failureMessage(error)}
    </Notice>
  )
}
