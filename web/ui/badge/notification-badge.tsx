import type { DayBooking } from '#contracts/bookings/day.ts'
import { notificationText } from '#domain/customers/customer-notification.ts'
import { Badge } from './badge.tsx'

type Notified = Pick<DayBooking, 'needs_notification' | 'customer_email' | 'customer_phone'>

/**
 * Marks a booking that the shop has created, moved or cancelled without notifying the customer. Renders nothing for any
 * other booking.
 */
export function NotificationBadge({ booking }: { booking: Notified }) {
  if (!booking.needs_notification) return null
  return <Badge tone="danger">{notificationText(booking)}</Badge>
}
