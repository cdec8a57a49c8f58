import { useQuery } from '@tanstack/react-query'
import { readDay } from './day-api.ts'

/** Interval at which the day is refetched. The line of the current time moves with each refetch. */
const readAgainMs = 30_000

/** Reads all bookings of one date. Sends no request without a date. */
export function useDay(date: string | undefined) {
  return useQuery({
    queryKey: ['bookings', 'day', date],
    queryFn: () => readDay(date ?? ''),
    enabled: date !== undefined,
    refetchInterval: readAgainMs,
  })
}
