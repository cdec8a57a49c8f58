import { toast } from '#web/ui/toast/toast.ts'

/**
 * Shows a toast when an undo fails. The user pressed 'Undo' in an earlier toast, so no open dialog can show the error.
 */
export async function reportFailedUndo(undoing: Promise<boolean>): Promise<void> {
  if (await undoing) return
  toast({
    title: 'Could not undo.',
    description: 'Someone else may have changed this record. Check the current version.',
    variant: 'destructive',
  })
}
