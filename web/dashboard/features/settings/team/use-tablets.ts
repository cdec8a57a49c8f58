import { useQuery } from '@tanstack/react-query'
import { tabletEndpoints } from '#contracts/tablets.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'
import { pollMs } from '../kit/poll-ms.ts'

export const tabletsKey = ['settings', 'team', 'tablets']

/** Reads the shared tablets of the shop, and which team members have a PIN for them. */
export function useTablets() {
  return useQuery({
    queryKey: tabletsKey,
    queryFn: async () => orThrow(await callAsAdmin(tabletEndpoints.list)),
    refetchInterval: pollMs,
  })
}
