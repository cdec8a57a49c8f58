import type { dashboardPath } from '#contracts/dashboard-paths.ts'

/** Every path of the site. Links and redirects use these constants instead of literals. */
export const paths = {
  home: '/',
  bookAppointment: '/book-appointment',
  requestQuote: '/request-quote',
  payInvoice: '/pay-invoice',
  paymentSuccess: '/payment-success',
  privacy: '/privacy',
  /** Another document with its own styles: link to it with a plain `<a href>`, not with the router. */
  adminDashboard: '/admin-dashboard' satisfies typeof dashboardPath,
  sandboxUi: '/sandbox/ui',
} as const
