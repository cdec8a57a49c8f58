import type { dashboardPath } from '#contracts/dashboard-paths.ts'

/** Every path of the site. Links and redirects use these constants instead of literals. */
export const paths = {
  home: '/',
  bookAppointment: '/book-appointment',
  requestQuote: '/request-quote',
  payInvoice: '/pay-invoice',
  paymentSuccess: '/payment-success',
  privacy: '/privacy',
  /**
   * The dashboard is another document with its own styles. Link to this path with a plain `<a href>`, not with the
   * router.
   */
  adminDashboard: '/admin-dashboard' satisfies typeof dashboardPath,
  sandboxUi: '/sandbox/ui',
} as const
