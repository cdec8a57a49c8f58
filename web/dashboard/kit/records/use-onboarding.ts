import { type QueryClient, useQuery } from '@tanstack/react-query'
import { type Onboarding, onboardingEndpoints } from '#contracts/onboarding.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'

export const firstStepsKey = ['onboarding']

/** A shop that is past its set-up hardly ever goes back to it. */
const settledMs = 300_000
const changingMs = 5_000

/** How far the owner has made the shop their own; undefined until it is known. */
export function useOnboarding(): Onboarding | undefined {
  const { data } = useQuery({
    queryKey: firstStepsKey,
    queryFn: async () => orThrow(await callAsAdmin(onboardingEndpoints.read)),
    staleTime: ({ state }) => (state.data?.steps ? changingMs : settledMs),
  })
  return data
}

/** Takes what the server said of itself: nothing has to be asked for, and nothing moves when it arrives. */
export function setOnboarding(queries: QueryClient, progress: Onboarding | undefined): void {
  if (progress) queries.setQueryData(firstStepsKey, progress)
}

/** Whether a mail server is set: without one no email reaches a customer (docs/product.md 12.8). */
export function useCanSendEmail(): boolean {
  return useOnboarding()?.canSendEmail ?? true
}

/** Said before an email is written while no mail server is set. */
export const emailNotSetUp = 'Email is not set up. Messages are kept in the outbox.'

/** Said after an email was written while no mail server is set. */
export const messageInOutbox = 'Email is not set up. The message is in the outbox.'
