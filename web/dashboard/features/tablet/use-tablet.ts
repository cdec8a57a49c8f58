import { useQuery } from '@tanstack/react-query'
import { tabletEndpoints } from '#contracts/tablets.ts'
import { callApi } from '#web/lib/data/call-api.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'

/** A revoked tablet says so within five seconds. */
const readAgainMs = 4_000

const tabletKey = ['tablet']

/** What the server says about this tablet. */
export function useTablet() {
  return useQuery({
    queryKey: tabletKey,
    queryFn: async () => orThrow(await callApi(tabletEndpoints.read)),
    refetchInterval: readAgainMs,
    networkMode: 'always',
  })
}
