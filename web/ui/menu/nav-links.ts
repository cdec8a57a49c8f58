import { paths } from '#web/lib/paths.ts'

/** The four links of the navigation bar and the menu (docs/product.md 2.1). */
export const navLinks = [
  { to: paths.home, label: 'Home' },
  { to: paths.bookAppointment, label: 'Book Appointment' },
  { to: paths.requestQuote, label: 'Request Quote' },
  { to: paths.payInvoice, label: 'Pay Invoice' },
] as const
