import { formatShopTime } from '#domain/calendar/shop-time.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import type { Autosave, AutosaveState } from '../form/estimate-autosave.ts'

/** The state of saving: 'saved 3:12 PM', or why the draft is not saved. */
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

/** Shown above the editor while the draft is not saved: the reason, and that the typed values are kept. */
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
