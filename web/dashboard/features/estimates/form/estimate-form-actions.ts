import { toast } from '#web/ui/toast/toast.ts'
import type { FormEdit } from './edit-form.ts'

/**
 * The functions with which the components of the editor change the form. While the editor is open, all renders use the
 * same object.
 */
export type EstimateFormActions = {
  readonly change: (how: FormEdit) => void
  /** Focuses the element with this `data-cell`, as soon as React has rendered the element. */
  readonly focus: (cell: string) => void
  /** The shop's price of one hour of labor; '' until the price is loaded. */
  readonly laborRate: string
}

/** Removes a job or a line from the form and shows a toast with 'Undo'. */
export function removeWithUndo(
  actions: EstimateFormActions,
  what: string,
  { remove, restore }: { readonly remove: FormEdit; readonly restore: FormEdit },
): void {
  actions.change(remove)
  toast({
    title: `${what} removed.`,
    action: { label: 'Undo', run: () => actions.change(restore) },
  })
}
