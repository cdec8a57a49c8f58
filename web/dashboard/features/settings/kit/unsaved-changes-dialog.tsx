import { useEffect, useState } from 'react'
import { guardPage } from '#web/dashboard/kit/navigation/unsaved-changes-guard.ts'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { useAllUnsavedChanges } from './use-unsaved-changes.ts'

/** Asks the user before any navigation that would discard unsaved changes. */
export function UnsavedChangesDialog() {
  const unsaved = useAllUnsavedChanges()
  const isUnsaved = unsaved.length > 0
  const [navigation, setNavigation] = useState<{ go: () => void }>()
  useEffect(() => {
    return isUnsaved ? guardPage((go) => setNavigation({ go })) : undefined
  }, [isUnsaved])
  return (
    <ConfirmDialog
      open={navigation !== undefined}
      title="Discard unsaved changes?"
      cancelLabel="Keep editing"
      confirmLabel="Discard"
      onClose={() => setNavigation(undefined)}
      onConfirm={() => {
        setNavigation(undefined)
        for (const { actions } of unsaved) actions?.discard()
        navigation?.go()
      }}
    >
      <p>Not saved: {unsaved.flatMap(({ labels }) => labels).join(', ')}</p>
    </ConfirmDialog>
  )
}
