import { useMutation, useQueryClient } from '@tanstack/react-query'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { toastRefusedChange } from '../kit/save-errors.ts'
import { orderBays } from './bays-api.ts'

/** Saves the order of the bays if the list still has the version that the user was looking at. */
export function useBayOrder(version: number) {
  const queries = useQueryClient()
  const ordering = useMutation({
    mutationFn: (ids: readonly string[]) => orderBays(ids, version),
    onError: (error) => toastRefusedChange(error, 'the bays'),
    onSettled: () =>
      Promise.all([
        refetchQueries(queries, 'settings', 'bays'),
        refetchQueries(queries, 'bookings'),
        refetchQueries(queries, 'settings_history'),
      ]),
  })
  return {
    order: (ids: readonly string[]) => ordering.mutateAsync(ids).catch(() => undefined),
    isOrdering: ordering.isPending,
  }
}
