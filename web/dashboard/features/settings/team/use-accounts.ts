import { useQuery } from '@tanstack/react-query'
import { pollMs } from '../kit/poll-ms.ts'
import { listAccounts } from './accounts-api.ts'

/** Reads the staff accounts and the open invitations. */
export function useAccounts() {
  return useQuery({
    queryKey: ['settings', 'team', 'accounts'],
    queryFn: listAccounts,
    refetchInterval: pollMs,
  })
}
