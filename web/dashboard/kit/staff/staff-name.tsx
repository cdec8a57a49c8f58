import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Database } from '#contracts/database.ts'
import { requestData } from '#web/lib/data/request-data.ts'

type Account = Pick<
  Database['public']['Tables']['staff_accounts']['Row'],
  'username' | 'name' | 'created_at'
>

/** The name of the person who did something at an instant (ISO 8601), by the username that the record keeps. */
export type NameOf = (username: string, at: string) => string

/**
 * A record keeps the username, which never changes; the name is joined when it is shown. What was done before the
 * account existed keeps the username: in that time several people shared it.
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

/** Usernames, until the names are loaded. */
export function useNameOf(): NameOf {
  const { data } = useQuery(accountNames)
  return useCallback((username, at) => nameAmong(data ?? [], username, at), [data])
}

/** The name of the person who did something at an instant. */
export function StaffName({ username, at }: { username: string; at: string }) {
  return useNameOf()(username, at)
}
