import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Estimate } from '#contracts/estimates/estimates.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { Button } from '#web/ui/button/button.tsx'
import type { EstimateEditing } from '../form/use-estimate-form.ts'
import { formatTaxRate } from '../estimate-text.ts'
import { applyTodaysTaxRate } from '../estimates-api.ts'
import { estimateErrorMessage } from '../estimate-errors.ts'

/**
 * An estimate keeps the tax rate of the day on which it was created. When today's rate differs, a button applies
 * today's rate.
 */
export function TodaysTaxRate({
  estimate,
  editing,
}: {
  estimate: Estimate
  editing: EstimateEditing
}) {
  const queries = useQueryClient()
  const applying = useMutation({
    mutationFn: () => applyTodaysTaxRate(estimate.id, editing.seenVersion),
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
      Today’s sales tax is {formatTaxRate(todaysTaxRate)}.{' '}
      <Button
        compact
        disabled={applying.isPending || editing.saving.state !== 'saved'}
        onClick={() => applying.mutate()}
      >
        Use today’s rate
      </Button>
    </p>
  )
}
