import { useMutation, useQueryClient } from '@tanstack/react-query'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { useScheduleConflictDialog } from '../kit/conflicts/schedule-conflict-dialog.tsx'
import { toastRefusedChange } from '../kit/save-errors.ts'
import { changeSpecialHours, type ClosureChange } from './special-hours-api.ts'

type ClosureRequest = { readonly change: ClosureChange; readonly title: string }

/**
 * Changes the list of closures if the list still has the version that the user was looking at. If the change causes
 * schedule conflicts, a dialog asks the user first. `make` saves a change and resolves to true if the server saved it.
 * `title` is the title of the toast after a successful save.
 */
export function useClosureChange(version: number | undefined) {
  const queries = useQueryClient()
  const { change: confirmAndChange, question } = useScheduleConflictDialog()
  const changing = useMutation({
    mutationFn: ({ change }: ClosureRequest) =>
      confirmAndChange((options) => changeSpecialHours(change, version ?? 0, options)),
    onSuccess: (isMade, { title }) => {
      if (isMade)
        toast({
          title,
          description: 'The website and the available times change immediately.',
        })
    },
    onError: (error) => toastRefusedChange(error, 'the closures'),
    onSettled: async () => {
      await Promise.all([
        refetchQueries(queries, 'settings', 'closures'),
        refetchQueries(queries, 'settings_history'),
      ])
    },
  })
  return {
    make: (request: ClosureRequest): Promise<boolean> =>
      changing.mutateAsync(request).catch(() => false),
    isBusy: changing.isPending || version === undefined,
    question,
  }
}
