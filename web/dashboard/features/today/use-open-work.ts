import { useQuery } from '@tanstack/react-query'
import { countOpenWork } from './open-work-api.ts'
import { everyMinuteMs, todayKey } from './today-key.ts'

/** Reads the numbers of open work items that the bar of the dashboard shows. All parts of the bar share one request. */
export function useOpenWork() {
  return useQuery({
    queryKey: [todayKey, 'open-work'],
    queryFn: countOpenWork,
    refetchInterval: everyMinuteMs,
  })
}
