import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Database } from '#contracts/database.ts'
import { requestData } from '#web/lib/data/request-data.ts'

type Account = Pick<
  Database['public']['Tables']['staff_accounts']['Row'],
  'username' | 'name' | 'created_at'
>

/** The name of the person who did something at an instant (ISO 8601). The record stores that person's username. */
export type NameOf = (username: string, at: string) => string

/**
 * Resolves usernames to names. A record stores the username, which never changes. For an instant before the account
 * existed, the username itself is shown, because several people shared it then.
 */
export function nameAmong(accounts: readonly Account[], username: string, at: string): string {
  const account = accounts.find((other) => other.username === username)
  const isTheirs = account && Date.parse(at) >= Date.parse(account.created_at)
  return isTheirs ? account.name : username
}

const accountNames = queryOptions({
  queryKey: ['staff_accounts', 'names'],
  queryFn: async () => {
    const { data } = await requestData((service) =>
      service.from('staff_accounts').select('username, name, created_at'),
    )
    return data
  },
})

/** Shows usernames until the names are loaded. */
export function useNameOf(): NameOf {
  const { data } = useQuery(accountNames)
  return useCallback((username, at) => nameAmong(data ?? [], username, at), [data])
}

/** The name of the person who did something at an instant. */
export function StaffName({ username, at }: { username: string; at: string }) {
  return useNameOf()(username, at)
}
