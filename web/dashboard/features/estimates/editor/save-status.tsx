import { formatShopTime } from '#domain/calendar/shop-time.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import type { Autosave, AutosaveState } from '../form/estimate-autosave.ts'

/** Whether what is typed is saved: 'saved 3:12 PM', or why not. */
export function saveStatusText({ saving, savedAt }: AutosaveState): string {
  switch (saving.state) {
    case 'saved':
      return `saved ${formatShopTime(new Date(savedAt))}`
    case 'waiting':
    case 'saving':
      return 'saving…'
    case 'incomplete':
      return saving.count === 1
        ? 'Not saved: 1 field has an error'
        : `Not saved: ${saving.count} fields have errors`
    case 'refused':
    case 'version_conflict':
    case 'unanswered':
      return 'not saved'
  }
}

/** Over the sheet, when it is not saved: why, and that what was typed is kept. */
export function NotSavedNotice({ editing, state }: { editing: Autosave; state: AutosaveState }) {
  const since = useOfflineSince()
  const { saving } = state
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
        <button type="button" className="action" onClick={() => void editing.saveNow()}>
          Try now
        </button>
      </p>
    )
  }
  if (saving.state === 'refused' || saving.state === 'incomplete') {
    return (
      <p className="estimate-form-banner" role="status">
        Not saved yet. {saving.message} Your changes are kept.
      </p>
    )
  }
  return null
}
