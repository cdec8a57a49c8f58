import { vehicleText } from '#domain/customers/vehicle.ts'
import { type DashboardLink, quoteLink } from '#web/dashboard/kit/navigation/links.ts'
import type { ToastMessage } from '#web/ui/toast/toast.ts'

/** A quote request that a visitor has just sent. */
export type NewQuote = {
  readonly id: string
  readonly name: string
  readonly vehicle_year: string
  readonly vehicle_make: string
  readonly vehicle_model: string
}

/**
 * Returns the toast 'New quote request: Robin Vale, 2019 Subaru Outback.'; for several requests, the toast states only
 * their number. `show` navigates to the request, or to the list of all requests.
 */
export function formatNewQuotes(
  quotes: readonly NewQuote[],
  show: (link: DashboardLink) => void,
): ToastMessage | undefined {
  const [first, second] = quotes
  if (!first) return undefined
  return {
    title: second
      ? `${quotes.length} new quote requests`
      : `New quote request: ${first.name}, ${vehicleText(first)}.`,
    action: { label: 'Show', run: () => show(quoteLink(second ? undefined : first.id)) },
  }
}
