import { useEffect, useState } from 'react'
import { calendarOf } from '#domain/calendar/shop-calendar.ts'
import { listBookableSlots } from '#domain/bookings/time-slots.ts'
import { logQuietly } from '#web/lib/data/log-quietly.ts'
import { useShop } from '#web/lib/shop.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { checkAvailability } from './check-availability.ts'
import type { Service } from '../service/load-services.ts'

export type AvailableSlots =
  | { status: 'no-date' }
  | { status: 'checking'; date: string }
  | { status: 'checked'; date: string; slots: string[] }
  | { status: 'failed'; date: string }

/**
 * Reads the free slots of a date for a service: when the date or the service changes, and when the page calls `retry`.
 * Ignores the response to an earlier request. A slot disappears as soon as less than the shop's minimum notice remains
 * until its start.
 */
export function useAvailableSlots(
  date: string | null,
  { id, duration_minutes: durationMinutes }: Service,
  now: Date,
): AvailableSlots & { retry: () => void } {
  const shop = useShop()
  const [attempt, setAttempt] = useState(0)
  const question = `${date} ${id} ${durationMinutes} ${attempt}`
  const [result, setResult] = useState<{ question: string; free: string[] | null } | null>(null)
  useEffect(() => {
    if (date === null) return
    const abort = new AbortController()
    const slots = listBookableSlots(date, durationMinutes, new Date(), calendarOf(shop))
    checkAvailability(
      { date, service: { id, duration_minutes: durationMinutes }, slots },
      abort.signal,
    ).then(
      (free) => !abort.signal.aborted && setResult({ question, free }),
      (cause: unknown) => {
        if (abort.signal.aborted) return
        logQuietly('The times of a date were not checked', cause)
        setResult({ question, free: null })
        toast(checkFailed)
      },
    )
    return () => abort.abort()
  }, [date, id, durationMinutes, question, shop])
  const retry = () => setAttempt((before) => before + 1)
  if (date === null) return { status: 'no-date', retry }
  if (result?.question !== question) return { status: 'checking', date, retry }
  if (result.free === null) return { status: 'failed', date, retry }
  const bookable = new Set(listBookableSlots(date, durationMinutes, now, calendarOf(shop)))
  const slots = result.free.filter((slot) => bookable.has(slot))
  return { status: 'checked', date, slots, retry }
}

const checkFailed = {
  title: 'Error',
  description: 'Failed to check availability. Please try again.',
  variant: 'destructive',
} as const
