import { isVersionConflict } from '#web/lib/data/version-conflict.ts'
import { Notice } from '#web/ui/notice/notice.tsx'
import type { CustomerChange } from './use-customer-change.ts'

type Props = {
  change: Pick<CustomerChange<never>, 'error' | 'failure'>
  /** How the record is by now, in one line. */
  now: string
  /** Saves what was typed over what somebody else wrote meanwhile. */
  onSaveOver: () => void
}

/** Why a form was not saved; over somebody else's change it is saved once that was seen. */
export function SaveFailureNotice({ change, now, onSaveOver }: Props) {
  const { error, failure } = change
  if (!failure) return null
  if (isVersionConflict(error)) {
    return (
      <Notice tone="bad" title="Someone else changed this.">
        Current value: {now}. Your changes are kept.{' '}
        <button type="button" className="action" onClick={onSaveOver}>
          Save my version
        </button>
      </Notice>
    )
  }
  return (
    <Notice tone="bad" title="Could not save.">
      {failure}
    </Notice>
  )
}
