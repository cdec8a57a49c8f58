import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Estimate } from '#contracts/estimates/estimates.ts'
import { invoicesLink } from '#web/dashboard/kit/navigation/links.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { Button } from '#web/ui/button/button.tsx'
import type { EstimateEditing } from './form/use-estimate-form.ts'
import { deleteEstimate, estimateDeletion } from './estimates-api.ts'
import { estimateErrorMessage } from './estimate-errors.ts'

/** Deletes an estimate that was never sent, after staff confirm the deletion. */
export function DeleteEstimate({
  estimate,
  editing,
}: {
  estimate: Estimate
  editing: EstimateEditing
}) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [isConfirming, setIsConfirming] = useState(false)
  const deletion = useMutation({
    mutationKey: estimateDeletion(estimate.id),
    mutationFn: () => deleteEstimate(estimate.id),
    onSuccess: async () => {
      editing.record.discard()
      toast({ title: `Estimate ${estimate.number} deleted.` })
      void navigate({ ...invoicesLink, replace: true })
      await refetchQueries(queries, 'estimates')
    },
    onError: (error) =>
      toast({
        title: 'Could not delete the estimate',
        description: estimateErrorMessage(error),
        variant: 'destructive',
      }),
  })
  return (
    <>
      <Button
        compact
        level="danger"
        disabled={deletion.isPending}
        onClick={() => setIsConfirming(true)}
      >
        <Icon name="trash" />
        Delete
      </Button>
      <ConfirmDialog
        open={isConfirming}
        title="Delete this estimate?"
        confirmLabel="Delete"
        busyLabel="Deleting…"
        busy={deletion.isPending}
        onClose={() => setIsConfirming(false)}
        onConfirm={() => deletion.mutate()}
      >
        <p>{estimate.number} was never sent to the customer. This cannot be undone.</p>
      </ConfirmDialog>
    </>
  )
}
