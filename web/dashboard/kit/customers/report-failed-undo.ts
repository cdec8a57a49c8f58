import { toast } from '#web/ui/toast/toast.ts'

/** Says that a way back was not gone: what offered it has left the page by then. */
export async function reportFailedUndo(undoing: Promise<boolean>): Promise<void> {
  if (await undoing) return
  toast({
    title: 'Could not undo.',
    description: 'Someone else may have changed this. Check the current version.',
    variant: 'destructive',
  })
}
