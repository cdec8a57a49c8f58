import { useQuery } from '@tanstack/react-query'
import { signInWaysEndpoint } from '#contracts/team.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'
import { pollMs } from '../kit/poll-ms.ts'

/** Reads how each team member can sign in. */
export function useSignInWays() {
  return useQuery({
    queryKey: ['settings', 'team', 'sign-in ways'],
    queryFn: async () => orThrow(await callAsAdmin(signInWaysEndpoint)),
    refetchInterval: pollMs,
  })
}
