import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Database } from '#contracts/database.ts'
import { requestData } from '#web/lib/data/request-data.ts'

type Account = Pick<
  Database['public']['Tables']['staff_accounts']['Row'],
  'username' | 'name' | 'created_at'
>

/**
 * Returns the name of the team member who made a recorded change. `username` is the recorded username; `at` is the time
 * of the change (ISO 8601).
 */
export type NameOf = (username: string, at: string) => string

/**
 * Resolves the username in a record to a person's name. Usernames never change. If the record is older than the staff
 * account, returns the username itself, because several people shared one username at that time.
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

/**
 * Returns the function that resolves usernames to names. Until the names are loaded, the function returns the
 * usernames.
 */
export function useNameOf(): NameOf {
  const { data } = useQuery(accountNames)
  return useCallback((username, at) => nameAmong(data ?? [], username, at), [data])
}

/**
 * Shows the name of the team member who made a recorded change. `username` is the recorded username; `at` is the time
 * of the change (ISO 8601).
 */
export function StaffName({ username, at }: { username: string; at: string }) {
  return useNameOf()(username, at)
}
