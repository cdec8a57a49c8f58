import type { DayBooking } from '#contracts/bookings/day.ts'
import { notificationText } from '#domain/customers/customer-notification.ts'
import { Badge } from './badge.tsx'

type Notified = Pick<DayBooking, 'needs_notification' | 'customer_email' | 'customer_phone'>

/**
 * The badge of a booking whose customer the shop has not notified of a change. Renders nothing for any other booking.
 */
export function NotificationBadge({ booking }: { booking: Notified }) {
  if (!booking.needs_notification) return null
  return <Badge tone="danger">{notificationText(booking)}</Badge>
}
