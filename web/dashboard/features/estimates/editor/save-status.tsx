import { formatShopTime } from '#domain/calendar/shop-time.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { Button } from '#web/ui/button/button.tsx'
import { estimateErrorMessage } from '../estimate-errors.ts'
import type { EstimateEditing } from '../form/use-estimate-form.ts'

/** The text that states when the draft was saved ('saved 3:12 PM') or why the draft is not saved. */
export function saveStatusText({ saving, saved }: EstimateEditing): string {
  switch (saving.state) {
    case 'saved':
      return `saved ${formatShopTime(new Date(saved.savedAt))}`
    case 'waiting':
    case 'saving':
      return 'saving…'
    case 'incomplete':
      return saving.problems.length === 1
        ? 'Not saved: 1 field has an error'
        : `Not saved: ${saving.problems.length} fields have errors`
    case 'refused':
    case 'version_conflict':
    case 'unanswered':
      return 'not saved'
  }
}

/**
 * The notice above the editor while the draft is not saved. The notice states the reason, and that the browser keeps
 * the typed values.
 */
export function NotSavedNotice({ editing }: { editing: EstimateEditing }) {
  const since = useOfflineSince()
  const { saving, record } = editing
  if (since) {
    return (
      <p className="estimate-form-banner" role="status">
        No connection. Showing {formatShopTime(since)}. Nothing is saved until the connection is
        back.
      </p>
    )
  }
  if (saving.state === 'unanswered') {
    return (
      <p className="estimate-form-banner" role="status">
        The server did not respond. Your changes are kept in this browser and saved automatically.{' '}
        <Button compact onClick={() => void record.save()}>
          Try now
        </Button>
      </p>
    )
  }
  if (saving.state === 'refused' || saving.state === 'incomplete') {
    const reason = 'error' in saving ? estimateErrorMessage(saving.error) : saving.problems[0]
    return (
      <p className="estimate-form-banner" role="status">
        Not saved yet. {reason} Your changes are kept.
      </p>
    )
  }
  return null
}
