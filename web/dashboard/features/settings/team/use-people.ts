import { useQuery } from '@tanstack/react-query'
import { pollMs } from '../kit/poll-ms.ts'
import { listPeople } from './people-api.ts'

/** The people with a sign-in, and the open invitations. */
export function usePeople() {
  return useQuery({
    queryKey: ['settings', 'team', 'people'],
    queryFn: listPeople,
    refetchInterval: pollMs,
  })
}
