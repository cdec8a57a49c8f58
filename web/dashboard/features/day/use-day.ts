import { useQuery } from '@tanstack/react-query'
import { readDay } from './day-api.ts'

/** Interval at which the day is refetched. The line of the current time moves with each refetch. */
const readAgainMs = 30_000

/** All bookings of one date; nothing is read without a date. */
export function useDay(date: string | undefined) {
  return useQuery({
    queryKey: ['bookings', 'day', date],
    queryFn: () => readDay(date ?? ''),
    enabled: date !== undefined,
    refetchInterval: readAgainMs,
  })
}
