import type { VehicleRecord, BookingSummary } from '#contracts/customers.ts'
import type { EstimateSource } from '#web/dashboard/kit/records/repair-records.ts'
import { useCreateEstimate } from '#web/dashboard/kit/records/use-create-estimate.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { useShopToday } from '#web/lib/time/use-shop-today.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Button } from '#web/ui/button/button.tsx'

type Props = {
  bookings: readonly BookingSummary[]
  quotes: VehicleRecord['quotes']
  /**
   * The record from which the estimate is created if the customer has neither an open appointment nor an open quote
   * request.
   */
  otherwise: EstimateSource
}

const openStates = new Set(['pending', 'confirmed', 'arrived', 'in_work'])

/**
 * The button that creates an estimate from the customer's next open appointment. If there is no such appointment, the
 * estimate is created from the latest unanswered quote request; if there is none either, from the record in
 * `otherwise`.
 */
export function CreateEstimateButton({ bookings, quotes, otherwise }: Props) {
  const today = useShopToday()
  const beginning = useCreateEstimate()
  const isOffline = useOfflineSince() !== undefined
  const booking = bookings.findLast(
    ({ state, startsAt }) => openStates.has(state) && startsAt.slice(0, 10) >= today,
  )
  const quote = quotes.find(({ status }) => status === 'pending')
  const request = quote ? { quoteRequestId: quote.id } : otherwise
  const source = booking ? { bookingId: booking.id } : request
  return (
    <Button
      compact
      disabled={beginning.isPending || isOffline}
      onClick={() => beginning.mutate(source)}
    >
      <Icon name="receipt" />
      Create estimate
    </Button>
  )
}
