import { useMutation, useQueryClient } from '@tanstack/react-query'
import { sampleWeekEndpoints } from '#contracts/sample-week.ts'
import {
  type ConfirmableOnboardingStep,
  type Onboarding,
  onboardingEndpoints,
} from '#contracts/onboarding.ts'
import { ApiError } from '#web/lib/data/call-api.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'
import { firstStepsKey } from '#web/dashboard/kit/records/use-onboarding.ts'
import { toast } from '#web/ui/toast/toast.ts'

/** Hides or shows the setup steps. Marks a step as done when the owner confirms the current settings of that step. */
export function useOnboardingActions() {
  const queries = useQueryClient()
  const options = {
    onSuccess: async (progress: Onboarding) => {
      // Cancels a running request for the setup progress. The server may have read the progress before it saved the
      // change, and the response would then replace the new progress with the old one.
      await queries.cancelQueries({ queryKey: firstStepsKey })
      queries.setQueryData(firstStepsKey, progress)
    },
    onError: (error: Error) => showFailure('Could not save', error),
  }
  const hide = useMutation({
    ...options,
    mutationFn: async (isHidden: boolean) =>
      orThrow(await callAsAdmin(onboardingEndpoints.hide, { isHidden })),
  })
  const confirm = useMutation({
    ...options,
    mutationFn: async (step: ConfirmableOnboardingStep) =>
      orThrow(await callAsAdmin(onboardingEndpoints.confirm, { step })),
  })
  return { hide, confirm }
}

/** Adds or removes the sample week and then refetches all shown data. */
export function useSampleWeek() {
  const queries = useQueryClient()
  const fill = useMutation({
    mutationFn: async () => orThrow(await callAsAdmin(sampleWeekEndpoints.fill)),
    onSuccess: () =>
      toast({
        title: 'Sample week added',
        description: 'Try everything. No emails are sent and no cards are charged.',
      }),
    onError: (error: Error) => showFailure('Could not add the sample week', error),
    onSettled: () => queries.invalidateQueries(),
  })
  const remove = useMutation({
    mutationFn: async () => orThrow(await callAsAdmin(sampleWeekEndpoints.remove)),
    onSuccess: () =>
      toast({
        title: 'Sample week removed',
        description: 'Your own records are still here.',
      }),
    onError: (error: Error) => showFailure('Could not remove the sample week', error),
    onSettled: () => queries.invalidateQueries(),
  })
  return { fill, remove }
}

function showFailure(title: string, error: Error): void {
  const message = error instanceof ApiError ? error.message : ''
  toast({
    title,
    description: message || 'The server did not respond. Please try again.',
    variant: 'destructive',
  })
}
