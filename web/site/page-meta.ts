import { replyTime } from '#domain/quotes/reply-time.ts'
import { cityAndState, type Shop } from '#domain/shop/shop.ts'
import { paths } from '#web/lib/paths.ts'

export type PageMeta = {
  /** The name of the HTML file in dist/pages, without '.html'. */
  file: string
  path: string
  /** The path of a public page's module below web/. The HTML references the scripts and styles of this module. */
  module?: string
  /** The text that search engines and link previews show under the title. */
  descriptionOf: (shop: Shop) => string
  /** Whether search engines may index the page. If false, the sitemap leaves out the page. */
  indexed: boolean
}

/** The metadata in the HTML of each page. Only prerendering reads it. The titles are in pages.ts. */
export const pageMeta: PageMeta[] = [
  {
    file: 'index',
    module: 'site/pages/home.tsx',
    path: paths.home,
    descriptionOf: (shop) =>
      `Independent auto repair and performance shop in ${cityAndState(shop)}. Brakes, engines, transmissions and maintenance. Book a time online or get a free quote within ${replyTime(shop)}.`,
    indexed: true,
  },
  {
    file: 'book-appointment',
    module: 'site/pages/book-appointment.tsx',
    path: paths.bookAppointment,
    descriptionOf: (shop) =>
      `Book a service appointment at ${shop.name} in ${shop.address.city}: choose a service, pick a free time and confirm, in three steps.`,
    indexed: true,
  },
  {
    file: 'request-quote',
    module: 'site/pages/request-quote.tsx',
    path: paths.requestQuote,
    descriptionOf: (shop) =>
      `Describe the problem and get a free, detailed estimate from ${shop.name} in ${cityAndState(shop)} within ${replyTime(shop)}.`,
    indexed: true,
  },
  {
    file: 'pay-invoice',
    module: 'site/pages/pay-invoice.tsx',
    path: paths.payInvoice,
    descriptionOf: (shop) =>
      `Look up your ${shop.name} invoice by its number, read it and pay it securely by card.`,
    indexed: true,
  },
  {
    file: 'payment-success',
    module: 'site/pages/payment-success.tsx',
    path: paths.paymentSuccess,
    descriptionOf: (shop) => `Your payment to ${shop.name}.`,
    indexed: false,
  },
  {
    file: 'privacy',
    module: 'site/pages/privacy.tsx',
    path: paths.privacy,
    descriptionOf: (shop) =>
      `The information that ${shop.name} asks for when you book, request a quote or pay: what we use it for and how long we keep it.`,
    indexed: true,
  },
  {
    file: '404',
    module: 'site/pages/not-found.tsx',
    path: '/404',
    descriptionOf: (shop) => `This page of ${shop.name} does not exist.`,
    indexed: false,
  },
]

export const adminMeta: PageMeta = {
  file: 'admin-dashboard',
  path: paths.adminDashboard,
  descriptionOf: (shop) => `Staff sign-in of ${shop.name}.`,
  indexed: false,
}
