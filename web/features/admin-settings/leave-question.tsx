import { useEffect, useState } from 'react'
import { guardPage } from '#web/lib/leave-guard.ts'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { useAllUnsavedChanges } from './use-unsaved.ts'

/** Asks before what is not saved is left, whichever way. */
export function UnsavedChangesDialog() {
  const unsaved = useAllUnsavedChanges()
  const isUnsaved = unsaved.length > 0
  const [leaving, setLeaving] = useState<{ go: () => void }>()
  useEffect(() => {
    return isUnsaved ? guardPage((go) => setLeaving({ go })) : undefined
  }, [isUnsaved])
  return (
    <ConfirmDialog
      open={leaving !== undefined}
      title="Discard unsaved changes?"
      cancelLabel="Keep editing"
      confirmLabel="Discard"
      onClose={() => setLeaving(undefined)}
      onConfirm={() => {
        setLeaving(undefined)
        for (const { actions } of unsaved) actions?.discard()
        leaving?.go()
      }}
    >
      <p>Not saved: {unsaved.flatMap(({ labels }) => labels).join(', ')}</p>
    </ConfirmDialog>
  )
}
