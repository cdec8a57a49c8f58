import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { Button } from '#web/ui/button/button.tsx'
import { useAllUnsavedChanges } from '#web/dashboard/kit/navigation/unsaved-changes.ts'

/** Lists the unsaved changes with the buttons 'Save' and 'Discard'. Renders nothing without unsaved changes. */
export function SaveBar() {
  const isOffline = useOfflineSince() !== undefined
  const unsaved = useAllUnsavedChanges().filter(({ actions }) => actions)
  const isSaving = unsaved.some(({ actions }) => actions?.isSaving)
  if (unsaved.length === 0) return null
  return (
    <div className="save-bar">
      <span role="status">
        <b>Not saved:</b> {unsaved.flatMap(({ labels }) => labels).join(', ')}
      </span>
      <Button
        compact
        level="quiet"
        disabled={isSaving}
        onClick={() => unsaved.forEach(({ actions }) => actions?.discard())}
      >
        Discard
      </Button>
      <Button
        compact
        level="primary"
        busy={isSaving && 'Saving…'}
        disabled={isOffline}
        onClick={() => unsaved.forEach(({ actions }) => actions?.save())}
      >
        Save
      </Button>
    </div>
  )
}
