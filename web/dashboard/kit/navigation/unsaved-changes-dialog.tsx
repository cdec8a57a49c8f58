import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { confirmDiscard, useAllUnsavedChanges, useDiscardQuestion } from './unsaved-changes.ts'

/**
 * Protects unsaved input. Before a navigation within the dashboard, this dialog asks the user. Before the user leaves
 * the document, the browser asks.
 */
export function UnsavedChangesDialog() {
  const unsaved = useAllUnsavedChanges()
  const question = useDiscardQuestion()
  useBlocker({
    disabled: unsaved.length === 0,
    shouldBlockFn: async ({ current, next }) =>
      current.pathname !== next.pathname && !(await confirmDiscard()),
  })
  return (
    <ConfirmDialog
      open={question !== undefined}
      title="Discard unsaved changes?"
      cancelLabel="Keep editing"
      confirmLabel="Discard"
      onClose={() => question?.answer(false)}
      onConfirm={() => question?.answer(true)}
    >
      <p>Not saved: {unsaved.flatMap(({ labels }) => labels).join(', ')}</p>
    </ConfirmDialog>
  )
}
