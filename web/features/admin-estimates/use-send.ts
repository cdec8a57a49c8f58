import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { sendEstimateEndpoint } from '#contracts/estimate-actions.ts'
import type { Estimate } from '#contracts/estimates.ts'
import { callAsAdmin } from '#web/lib/call-as-admin.ts'
import { orThrow } from '#web/lib/or-throw.ts'
import { refetchQueries } from '#web/lib/read-again.ts'
import { useCanSendEmail } from '#web/lib/use-first-steps.ts'
import { toast } from '#web/ui/toast.ts'
import type { Autosave } from './editing.ts'
import { estimateErrorMessage } from './refusal-words.ts'
import { sentMessage } from './sent-words.ts'

export type SendState = { readonly send: () => void; readonly isBusy: boolean }

/** Sends what is typed, once it is saved. What is missing before gets the focus instead. */
export function useSendEstimate(
  estimate: Estimate,
  editing: Autosave,
  missing: RefObject<HTMLElement | null>,
): SendState {
  const queries = useQueryClient()
  const canSendEmail = useCanSendEmail()
  const sending = useMutation({
    mutationFn: async () => {
      await editing.saveNow()
      const { saving, version } = editing.current()
      if (saving.state !== 'saved') return 'not saved'
      const request = { estimateId: estimate.id, seenVersion: version }
      return orThrow(await callAsAdmin(sendEstimateEndpoint, request))
    },
    onSuccess: async (sent) => {
      if (sent === 'not saved') {
        return toast({
          title: 'Could not send',
          description: 'The estimate could not be saved. Your changes are kept. Try again.',
          variant: 'destructive',
        })
      }
      const { email } = editing.current().form.customer
      toast(sentMessage(email, canSendEmail))
      await refetchQueries(queries, 'estimates')
    },
    onError: async (error) => {
      toast({
        title: 'Could not send',
        description: estimateErrorMessage(error),
        variant: 'destructive',
      })
      await refetchQueries(queries, 'estimates')
      missing.current?.focus()
    },
  })
  return {
    send: () => {
      if (estimate.problems.length > 0 && editing.current().saving.state === 'saved') {
        missing.current?.focus()
      } else sending.mutate()
    },
    isBusy: sending.isPending,
  }
}
