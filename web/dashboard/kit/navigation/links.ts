import { linkOptions } from '@tanstack/react-router'
import type { SettingsSection } from '#contracts/dashboard-paths.ts'

/** The link to the day view of a date, with the panel of the booking open if `booking` is set. */
export const dayLink = (date?: string, booking?: string) =>
  linkOptions({ to: '/day/{-$date}', params: { date }, search: { booking } })

/** The link to a customer page. */
export const customerLink = (id: string) => linkOptions({ to: '/customers/$id', params: { id } })

/** The link to a vehicle page. */
export const vehicleLink = (id: string) => linkOptions({ to: '/vehicles/$id', params: { id } })

/** The link to an estimate page. */
export const estimateLink = (id: string) => linkOptions({ to: '/estimates/$id', params: { id } })

// The list scrolls to the record whose id is in the URL, so the router must not scroll to the top of the page.
export const quoteLink = (quote?: string) =>
  linkOptions({ to: '/quotes', search: { quote }, resetScroll: quote === undefined })

/** @param invoice the id of the invoice at Stripe. */
export const invoiceLink = (invoice?: string) =>
  linkOptions({ to: '/invoices', search: { invoice }, resetScroll: invoice === undefined })

/** The link to an invoice page. @param id the id of the invoice at Stripe. */
export const invoicePageLink = (id: string) => linkOptions({ to: '/invoices/$id', params: { id } })

export const taskLink = (task?: string) =>
  linkOptions({ to: '/tasks', search: { task }, resetScroll: task === undefined })

/** The link to the page on which staff close a day (yyyy-MM-dd) and count the cash. */
export const dayCloseLink = (date: string) =>
  linkOptions({ to: '/day-close/$date', params: { date } })

export const todayLink = linkOptions({ to: '/today' })

export const invoicesLink = linkOptions({ to: '/invoices' })

export const profileLink = linkOptions({ to: '/profile' })

export const outboxLink = linkOptions({ to: '/outbox' })

export const bookingListLink = linkOptions({ to: '/appointments', search: { view: 'list' } })

export const settingsLink = (section?: SettingsSection) =>
  linkOptions({ to: '/settings/{-$section}', params: { section } })

/** The link to the Today page, with the panel 'Take payment' of an invoice open. */
export const todaysPaymentLink = (invoice: string) =>
  linkOptions({ to: '/today', search: { pay: invoice }, resetScroll: false })

/**
 * The link to the printable receipt of a payment. The URL contains the amount of cash that the customer handed over.
 */
export const receiptLink = (payment: string, givenCents: number | null) =>
  linkOptions({
    to: '/receipts/$id',
    params: { id: payment },
    search: { given: givenCents === null ? undefined : String(givenCents) },
  })

/** The type of a variable or parameter that contains a link to a page of the dashboard. */
export type DashboardLink =
  | ReturnType<
      | typeof dayLink
      | typeof customerLink
      | typeof vehicleLink
      | typeof estimateLink
      | typeof quoteLink
      | typeof invoiceLink
      | typeof invoicePageLink
      | typeof taskLink
      | typeof todaysPaymentLink
      | typeof dayCloseLink
      | typeof settingsLink
    >
  | typeof todayLink
  | typeof invoicesLink
  | typeof outboxLink
  | typeof bookingListLink
