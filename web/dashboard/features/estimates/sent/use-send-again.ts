import { useMutation, useQueryClient } from '@tanstack/react-query'
import { sendEstimateEndpoint } from '#contracts/estimates/estimate-actions.ts'
import type { Estimate } from '#contracts/estimates/estimates.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { useCanSendEmail } from '#web/dashboard/kit/records/use-onboarding.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { estimateErrorMessage } from '../estimate-errors.ts'
import { sentMessage } from './sent-text.ts'

/** Emails the latest sent revision again, now to the customer's current email address. */
export function useSendAgain({ id, version, document }: Estimate) {
  const queries = useQueryClient()
  const canSendEmail = useCanSendEmail()
  return useMutation({
    mutationFn: async () =>
      orThrow(await callAsAdmin(sendEstimateEndpoint, { estimateId: id, seenVersion: version })),
    onSuccess: () => toast(sentMessage(document.customer.email, canSendEmail)),
    onError: (error) =>
      toast({
        title: 'Could not send the estimate',
        description: estimateErrorMessage(error),
        variant: 'destructive',
      }),
    onSettled: () => refetchQueries(queries, 'estimates'),
  })
}
