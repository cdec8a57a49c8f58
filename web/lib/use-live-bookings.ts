import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { liveEndpoint } from '#contracts/live.ts'
import { readAgain } from './read-again.ts'

const newsOfBookings = ['refetch', 'bookings'] as const

const followers = new Set<() => void>()
let news: EventSource | undefined

/** One stream for all of a page: a browser opens few connections to a host, and the server few streams to a session. */
function follow(follower: () => void): () => void {
  followers.add(follower)
  if (!news || news.readyState === EventSource.CLOSED) {
    news = new EventSource(liveEndpoint.path)
    for (const name of newsOfBookings) news.addEventListener(name, tell)
  }
  return () => {
    followers.delete(follower)
    if (followers.size > 0) return
    news?.close()
    news = undefined
  }
}

function tell(): void {
  for (const follower of followers) follower()
}

/**
 * Reads again what is shown under a query key as soon as another window, a visitor or a job changed an appointment
 * (docs/product.md 12.7).
 */
export function useLiveBookings(queryKey = 'bookings'): void {
  const queries = useQueryClient()
  useEffect(() => follow(() => void readAgain(queries, queryKey)), [queries, queryKey])
}
