import { useMutation, useQueryClient } from '@tanstack/react-query'
import { sendEstimateEndpoint } from '#contracts/estimate-actions.ts'
import type { Estimate } from '#contracts/estimates.ts'
import { callAsAdmin } from '#web/lib/call-as-admin.ts'
import { orThrow } from '#web/lib/or-throw.ts'
import { refetchQueries } from '#web/lib/read-again.ts'
import { useCanSendEmail } from '#web/lib/use-first-steps.ts'
import { toast } from '#web/ui/toast.ts'
import { estimateErrorMessage } from './refusal-words.ts'
import { sentMessage } from './sent-words.ts'

/** Sends what was handed over last once more, to the address that the customer has now. */
export function useSendAgain({ id, version, document }: Estimate) {
  const queries = useQueryClient()
  const canSendEmail = useCanSendEmail()
  return useMutation({
    mutationFn: async () =>
      orThrow(await callAsAdmin(sendEstimateEndpoint, { estimateId: id, seenVersion: version })),
    onSuccess: () => toast(sentMessage(document.customer.email, canSendEmail)),
    onError: (error) =>
      toast({
        title: 'Could not send',
        description: estimateErrorMessage(error),
        variant: 'destructive',
      }),
    onSettled: () => refetchQueries(queries, 'estimates'),
  })
}
