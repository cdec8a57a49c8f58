import { useMutation, useQueryClient } from '@tanstack/react-query'
import { isStepUpRequired, stepUpOf } from '#web/dashboard/kit/step-up/step-up-of.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { toastFailure } from './save-errors.ts'

type Toast = { readonly title: string; readonly description: string }

type Change<Input, Saved extends { readonly outcome: string }, Removed> = {
  readonly save: (input: Input) => Promise<Saved>
  readonly remove: () => Promise<Removed>
  /** Called after the server saved the setting; returns the toast for the owner. */
  readonly onSaved: (saved: Saved) => Toast
  readonly onRemoved: (removed: Removed) => Toast
  /**
   * The actions that the step-up dialog names when the user saves or removes the setting, each as the end of a
   * sentence.
   */
  readonly actions: { readonly save: string; readonly remove: string }
}

/**
 * Saves or removes a setting that contains a secret. If the outcome of a save is not 'saved', `save.data` contains the
 * server's response. While `confirmation` is set, the save or the removal waits for step-up authentication.
 */
export function useSecretChange<Input, Saved extends { readonly outcome: string }, Removed>(
  change: Change<Input, Saved, Removed>,
) {
  const queries = useQueryClient()
  const refetch = () =>
    Promise.all([
      refetchQueries(queries, 'setup'),
      refetchQueries(queries, 'onboarding'),
      refetchQueries(queries, 'operations'),
    ])
  const onError = (error: Error) => void (isStepUpRequired(error) || toastFailure(error))
  const save = useMutation({
    mutationFn: change.save,
    async onSuccess(saved) {
      if (saved.outcome !== 'saved') return
      toast(change.onSaved(saved))
      await refetch()
    },
    onError,
  })
  const remove = useMutation({
    mutationFn: change.remove,
    async onSuccess(removed) {
      toast(change.onRemoved(removed))
      await refetch()
    },
    onError,
  })
  const [saving, removing] = [stepUpOf(save).confirmation, stepUpOf(remove).confirmation]
  const confirmation = saving
    ? { ...saving, action: change.actions.save }
    : removing && { ...removing, action: change.actions.remove }
  return { save, remove, confirmation }
}
