import type { Notifications } from '@local/postgres'

/**
 * The PostgreSQL notification channels on which triggers announce changed rows, in the transaction of the change. The
 * payload is the name of a section of the settings, or the id of a booking, a task, an estimate, an invoice, a quote
 * request, a customer, or a record of the cash drawer.
 */
export const channels = [
  'settings_changed',
  'bookings_changed',
  'tasks_changed',
  'estimates_changed',
  'invoices_changed',
  'cash_changed',
  'quotes_changed',
  'customers_changed',
] as const

export type DatabaseNotifications = Notifications<(typeof channels)[number]>
