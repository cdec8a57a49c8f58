import { toast } from '#web/ui/toast/toast.ts'
import type { FormEdit } from './edit-form.ts'

/** What the parts of a sheet can do with it; the same object for as long as the sheet is open. */
export type EstimateFormActions = {
  readonly change: (how: FormEdit) => void
  /** Moves the focus to a part of the sheet, by its `data-cell`, once it is there. */
  readonly focus: (cell: string) => void
  /** The shop's hour as a price, '' while it is not known. */
  readonly laborRate: string
}

/** Takes something out of the sheet and offers the way back. */
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
