import { useMutation, useQueryClient } from '@tanstack/react-query'
import { sendEstimateEndpoint } from '#contracts/estimate-actions.ts'
import type { Estimate } from '#contracts/estimates.ts'
import { callAsAdmin } from '#web/lib/call-as-admin.ts'
import { orThrow } from '#web/lib/or-throw.ts'
import { readAgain } from '#web/lib/read-again.ts'
import { toast } from '#web/ui/toast.ts'
import { refusalWords } from './refusal-words.ts'

/** Sends what was handed over last once more, to the address that the customer has now. */
export function useSendAgain({ id, version, document }: Estimate) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async () =>
      orThrow(await callAsAdmin(sendEstimateEndpoint, { estimateId: id, seenVersion: version })),
    onSuccess: () =>
      toast({
        title: 'Sent',
        description: `To ${document.customer.email}, with the link to the estimate.`,
      }),
    onError: (error) =>
      toast({ title: 'Could not send', description: refusalWords(error), variant: 'destructive' }),
    onSettled: () => readAgain(queries, 'estimates'),
  })
}
