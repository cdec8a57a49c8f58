import { toast } from '#web/ui/toast/toast.ts'

/** Shows a toast when an undo fails, because the dialog with the undo button is already closed. */
export async function reportFailedUndo(undoing: Promise<boolean>): Promise<void> {
  if (await undoing) return
  toast({
    title: 'Could not undo.',
    description: 'Someone else may have changed this. Check the current version.',
    variant: 'destructive',
  })
}
