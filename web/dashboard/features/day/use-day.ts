import { useQuery } from '@tanstack/react-query'
import { readDay } from './day-api.ts'

/**
 * The interval, in milliseconds, at which the day is refetched. Each refetch also moves the line at the current time.
 */
const readAgainMs = 30_000

/** Reads all bookings of one date. Sends no request while `date` is undefined. */
export function useDay(date: string | undefined) {
  return useQuery({
    queryKey: ['bookings', 'day', date],
    queryFn: () => readDay(date ?? ''),
    enabled: date !== undefined,
    refetchInterval: readAgainMs,
  })
}
