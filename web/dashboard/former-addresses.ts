import { settingsSections } from '#contracts/dashboard-paths.ts'
import {
  bookingListLink,
  customerLink,
  dayLink,
  estimateLink,
  invoiceLink,
  quoteLink,
  settingsLink,
  taskLink,
  vehicleLink,
} from '#web/dashboard/kit/navigation/links.ts'
import { recallTab, recallView } from '#web/dashboard/kit/navigation/remembered-views.ts'

type Search = Readonly<Record<string, string | undefined>>

/**
 * Returns the URL to which `/admin-dashboard` redirects: the view that the user opened last, or, for a URL of an
 * earlier release such as `?tab=settings&section=hours`, the view that replaces it.
 */
export function currentAddress(search: Search) {
  const tab = search['tab'] ?? recallTab()
  switch (tab) {
    case 'today':
    case 'outbox':
      return { to: `/${tab}` } as const
    case 'tasks':
      return taskLink(search['task'])
    case 'quotes':
      return quoteLink(search['quote'])
    case 'invoices':
      return search['estimate'] ? estimateLink(search['estimate']) : invoiceLink(search['invoice'])
    case 'person':
      return customerLink(search['person'] ?? '')
    case 'car':
      return vehicleLink(search['car'] ?? '')
    case 'settings':
      return settingsLink(settingsSections.find((section) => section === search['section']))
    default:
      return appointmentsAddress(search)
  }
}

function appointmentsAddress({ view = recallView() ?? undefined, day, booking }: Search) {
  if (view === 'day') return dayLink(day, booking)
  if (view === 'list') return bookingListLink
  return { to: '/appointments', search: { view: 'calendar', day } } as const
}
