import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '#web/ui/button/button.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { askDeposit, depositKey } from '#web/dashboard/kit/deposits/deposit-api.ts'
import { depositProblem } from '#web/dashboard/kit/deposits/deposit-text.ts'

/** The button that removes the request for a deposit from an approved estimate. The estimate stays approved. */
export function GoOnWithout({ estimateId }: { estimateId: string }) {
  const queries = useQueryClient()
  const giving = useMutation({
    mutationFn: () => askDeposit(estimateId, { amountCents: null, sharePercent: null }),
    onSuccess: (saved) => queries.setQueryData(depositKey(estimateId), saved),
    onError: (error) =>
      toast({
        title: 'The deposit was not changed.',
        description: depositProblem(error),
        variant: 'destructive',
      }),
  })
  return (
    <Button
      compact
      level="quiet"
      busy={giving.isPending && 'Saving…'}
      onClick={() => giving.mutate()}
    >
      Continue without deposit
    </Button>
  )
}
