import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { refetchQueries, refetchQuery } from './refetch.ts'

test('refetchQueries resolves with the newest data, even when a concurrent refetch cancels it', async () => {
  const queries = new QueryClient()
  const resolvers: ((rows: string) => void)[] = []
  const shown = new QueryObserver(queries, {
    queryKey: ['bookings'],
    queryFn: () => new Promise<string>((resolve) => resolvers.push(resolve)),
  })
  const stop = shown.subscribe(() => undefined)
  resolvers[0]?.('before')
  await expect.poll(() => shown.getCurrentResult().data).toBe('before')

  const saved = refetchQueries(queries, 'bookings').then(() => shown.getCurrentResult().data)
  await expect.poll(() => resolvers.length).toBe(2)
  const refetch = refetchQueries(queries, 'bookings')
  const other = refetchQueries(queries, 'services')
  await expect.poll(() => resolvers.length).toBe(3)
  resolvers[2]?.('after')
  expect(await saved).toBe('after')
  await Promise.all([refetch, other])
  stop()
})

test('refetchQuery returns the newest data when a concurrent refetch cancels it', async () => {
  const queries = new QueryClient()
  const resolvers: ((rows: string) => void)[] = []
  const shown = new QueryObserver(queries, {
    queryKey: ['settings', 'services'],
    queryFn: () => new Promise<string>((resolve) => resolvers.push(resolve)),
  })
  const stop = shown.subscribe(() => undefined)
  resolvers[0]?.('before')
  await expect.poll(() => shown.getCurrentResult().data).toBe('before')

  const now = refetchQuery(queries, ['settings', 'services'])
  await expect.poll(() => resolvers.length).toBe(2)
  const refetch = refetchQueries(queries, 'settings')
  await expect.poll(() => resolvers.length).toBe(3)
  resolvers[2]?.('after')
  expect(await now).toBe('after')
  await refetch
  stop()
})

test('refetchQuery throws when the fetch fails, instead of returning the old data', async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  queries.setQueryData(['settings', 'services'], 'before')
  const shown = new QueryObserver(queries, {
    queryKey: ['settings', 'services'],
    queryFn: () => Promise.reject(new Error('no answer')),
  })
  const stop = shown.subscribe(() => undefined)
  await expect(refetchQuery(queries, ['settings', 'services'])).rejects.toThrow('no answer')
  stop()
})
