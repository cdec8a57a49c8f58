import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { liveEndpoint } from '#contracts/live.ts'
import { readAgain } from '#web/lib/read-again.ts'

const newsOfBookings = ['refetch', 'bookings'] as const

/** Reads appointments again as soon as another window, a visitor or a job changed one (docs/product.md 12.7). */
export function useLiveBookings(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const news = new EventSource(liveEndpoint.path)
    const follow = () => void readAgain(queries, 'bookings')
    for (const name of newsOfBookings) news.addEventListener(name, follow)
    return () => news.close()
  }, [queries])
}
