import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Estimate } from '#contracts/estimates/estimates.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { toast } from '#web/ui/toast/toast.ts'
import type { AutosaveState } from '../form/estimate-autosave.ts'
import { formatLaborRate } from '../estimate-text.ts'
import { applyTodaysTaxRate } from '../estimates-api.ts'
import { estimateErrorMessage } from '../estimate-errors.ts'

/** The tax stays the one of the day on which the estimate was begun, until somebody takes today's. */
export function TodaysTaxRate({ estimate, state }: { estimate: Estimate; state: AutosaveState }) {
  const queries = useQueryClient()
  const taking = useMutation({
    mutationFn: () => applyTodaysTaxRate(estimate.id, state.version),
    onSuccess: () => refetchQueries(queries, 'estimates'),
    onError: (error) =>
      toast({
        title: 'Could not change the sales tax',
        description: estimateErrorMessage(error),
        variant: 'destructive',
      }),
  })
  const { taxRate, todaysTaxRate } = estimate
  if (taxRate === todaysTaxRate) return null
  return (
    <p className="todays-tax">
      Today’s sales tax is {formatLaborRate(todaysTaxRate)}.{' '}
      <button
        type="button"
        className="action"
        disabled={taking.isPending || state.saving.state !== 'saved'}
        onClick={() => taking.mutate()}
      >
        Use today’s rate
      </button>
    </p>
  )
}
