import { type QueryClient, useQuery } from '@tanstack/react-query'
import { type Onboarding, onboardingEndpoints } from '#contracts/onboarding.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'

export const firstStepsKey = ['onboarding']

/**
 * The interval, in milliseconds, at which the shop's setup progress is refetched after all setup steps are done. The
 * interval is long, because the progress then hardly ever changes.
 */
const settledMs = 300_000
const changingMs = 5_000

/** The progress of the shop's setup; undefined until it is loaded. */
export function useOnboarding(): Onboarding | undefined {
  const { data } = useQuery({
    queryKey: firstStepsKey,
    queryFn: async () => orThrow(await callAsAdmin(onboardingEndpoints.read)),
    staleTime: ({ state }) => (state.data?.steps ? changingMs : settledMs),
  })
  return data
}

/**
 * Caches the setup progress that the server sent with the page, so that the page needs no request and its layout does
 * not shift.
 */
export function setOnboarding(queries: QueryClient, progress: Onboarding | undefined): void {
  if (progress) queries.setQueryData(firstStepsKey, progress)
}

/** Whether a mail server is configured. Without one, no email reaches a customer (docs/product.md 12.8). */
export function useCanSendEmail(): boolean {
  return useOnboarding()?.canSendEmail ?? true
}

/** The notice that staff see before they write an email while no mail server is configured. */
export const emailNotSetUp = 'Email is not set up. Messages are kept in the outbox.'

/** The notice that staff see after they wrote an email while no mail server is configured. */
export const messageInOutbox = 'Email is not set up. The message is in the outbox.'
