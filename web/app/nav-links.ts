import { paths } from './paths.ts'

/** The four links of the navigation bar and the menu (specification, section 2). */
export const navLinks = [
  { to: paths.home, label: 'Home' },
  { to: paths.bookAppointment, label: 'Book Appointment' },
  { to: paths.requestQuote, label: 'Request Quote' },
  { to: paths.payInvoice, label: 'Pay Invoice' },
] as const
