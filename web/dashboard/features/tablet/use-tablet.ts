import { useQuery } from '@tanstack/react-query'
import { tabletEndpoints } from '#contracts/tablets.ts'
import { callApi } from '#web/lib/data/call-api.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'

/**
 * The interval, in milliseconds, at which the tablet asks the server for its state. A revoked tablet therefore shows
 * its revocation within five seconds.
 */
const readAgainMs = 4_000

const tabletKey = ['tablet']

/** The state of this tablet according to the server. */
export function useTablet() {
  return useQuery({
    queryKey: tabletKey,
    queryFn: async () => orThrow(await callApi(tabletEndpoints.read)),
    refetchInterval: readAgainMs,
    networkMode: 'always',
  })
}
