import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { sendEstimateEndpoint } from '#contracts/estimates/estimate-actions.ts'
import type { Estimate } from '#contracts/estimates/estimates.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { useCanSendEmail } from '#web/dashboard/kit/records/use-onboarding.ts'
import { toast } from '#web/ui/toast/toast.ts'
import type { EstimateEditing } from '../form/use-estimate-form.ts'
import { estimateErrorMessage } from '../estimate-errors.ts'
import { sentMessage } from '../sent/sent-text.ts'

export type SendState = { readonly send: () => void; readonly isBusy: boolean }

/**
 * Saves the draft and sends the estimate to the customer. If required parts are missing, the list of these parts gets
 * the focus instead.
 */
export function useSendEstimate(
  estimate: Estimate,
  { record }: EstimateEditing,
  missing: RefObject<HTMLElement | null>,
): SendState {
  const queries = useQueryClient()
  const canSendEmail = useCanSendEmail()
  const sending = useMutation({
    mutationFn: async () => {
      await record.save()
      const { saving, saved } = record.current()
      if (saving.state !== 'saved') return 'not saved'
      const request = { estimateId: estimate.id, seenVersion: saved.version }
      return orThrow(await callAsAdmin(sendEstimateEndpoint, request))
    },
    onSuccess: async (sent) => {
      if (sent === 'not saved') {
        return toast({
          title: 'Could not send the estimate',
          description: 'The estimate could not be saved. Your changes are kept. Try again.',
          variant: 'destructive',
        })
      }
      // Scrolls to the top, because the sent estimate, which replaces the editor, shows its state at the top. The
      // pressed button was at the end of the editor.
      window.scrollTo({ top: 0 })
      const { email } = record.current().values.customer
      toast(sentMessage(email, canSendEmail))
      await refetchQueries(queries, 'estimates')
    },
    onError: async (error) => {
      toast({
        title: 'Could not send the estimate',
        description: estimateErrorMessage(error),
        variant: 'destructive',
      })
      await refetchQueries(queries, 'estimates')
      missing.current?.focus()
    },
  })
  return {
    send: () => {
      if (estimate.problems.length > 0 && record.current().saving.state === 'saved') {
        missing.current?.focus()
      } else sending.mutate()
    },
    isBusy: sending.isPending,
  }
}
