import { shop } from '#domain/shop.ts'
import { paths } from './paths.ts'

export type PageMeta = {
  /** Name of the HTML file in dist/pages, without '.html'. */
  file: string
  path: string
  /** Of a public page: the file of its code below web/, whose scripts and styles the HTML names. */
  module?: string
  /** What search engines and link previews show under the title. */
  description: string
  /** False keeps the page out of search engines and the sitemap. */
  indexed: boolean
}

const { address } = shop

/** What the HTML of each page says about itself; only the build reads it. Titles are in pages.ts. */
export const pageMeta: PageMeta[] = [
  {
    file: 'index',
    module: 'pages/home.tsx',
    path: paths.home,
    description: `Independent auto repair and performance shop in ${address.city}, ${address.state}. Brakes, engines, transmissions and maintenance. Book a time online or get a free quote within 24 hours.`,
    indexed: true,
  },
  {
    file: 'book-appointment',
    module: 'pages/book-appointment.tsx',
    path: paths.bookAppointment,
    description: `Book a service appointment at ${shop.name} in ${address.city}: choose a service, pick a free time and confirm, in three steps.`,
    indexed: true,
  },
  {
    file: 'request-quote',
    module: 'pages/request-quote.tsx',
    path: paths.requestQuote,
    description: `Describe the problem and get a free, detailed estimate from ${shop.name} in ${address.city}, ${address.state} within 24 hours.`,
    indexed: true,
  },
  {
    file: 'pay-invoice',
    module: 'pages/pay-invoice.tsx',
    path: paths.payInvoice,
    description: `Look up your ${shop.name} invoice by its number, read it and pay it securely by card.`,
    indexed: true,
  },
  {
    file: 'payment-success',
    module: 'pages/payment-success.tsx',
    path: paths.paymentSuccess,
    description: `Your payment to ${shop.name}.`,
    indexed: false,
  },
  {
    file: 'privacy',
    module: 'pages/privacy.tsx',
    path: paths.privacy,
    description: `What ${shop.name} asks for when you book, request a quote or pay, what it is used for and how long it is kept.`,
    indexed: true,
  },
  {
    file: '404',
    module: 'pages/not-found.tsx',
    path: '/404',
    description: `This page of ${shop.name} does not exist.`,
    indexed: false,
  },
]

export const adminMeta: PageMeta = {
  file: 'admin-dashboard',
  path: paths.adminDashboard,
  description: `Staff sign-in of ${shop.name}.`,
  indexed: false,
}
