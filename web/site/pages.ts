import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import { type Shop, formatShopAddress } from '#domain/shop/shop.ts'
import { paths } from '#web/lib/paths.ts'

/**
 * Whether this build contains the page that shows developers every component (SANDBOX_UI=1). vite.config.ts sets the
 * constant.
 */
declare const __SANDBOX_UI__: boolean

type PageModule = Promise<{ default: ComponentType }>

export type Page = {
  path: string
  /** The document's title. The router also sets it after a page change. */
  titleOf: (shop: Shop) => string
  /** Loads the page's code. hydrate.tsx calls this function before hydrating the first page. */
  load: () => PageModule
  Component: LazyExoticComponent<ComponentType>
}

/** Describes a page. The title of the home page (an empty `title`) consists of the shop's postal address and name. */
const page = (path: string, title: string, load: () => PageModule): Page => ({
  path,
  titleOf: (shop) => `${title || formatShopAddress(shop)} | ${shop.name}`,
  load,
  Component: lazy(load),
})

/** The pages of the public document. Each page has its own chunk. Further metadata is in page-meta.ts. */
export const pages: Page[] = [
  page(paths.home, '', async () => ({
    default: (await import('#web/site/pages/home.tsx')).HomePage,
  })),
  page(paths.bookAppointment, 'Book an Appointment', async () => ({
    default: (await import('#web/site/pages/book-appointment.tsx')).BookAppointmentPage,
  })),
  page(paths.requestQuote, 'Request a Quote', async () => ({
    default: (await import('#web/site/pages/request-quote.tsx')).RequestQuotePage,
  })),
  page(paths.payInvoice, 'Pay an Invoice', async () => ({
    default: (await import('#web/site/pages/pay-invoice.tsx')).PayInvoicePage,
  })),
  page(paths.paymentSuccess, 'Payment', async () => ({
    default: (await import('#web/site/pages/payment-success.tsx')).PaymentSuccessPage,
  })),
  page(paths.privacy, 'Privacy', async () => ({
    default: (await import('#web/site/pages/privacy.tsx')).PrivacyPage,
  })),
  ...(__SANDBOX_UI__
    ? [
        page(paths.sandboxUi, 'Components', async () => ({
          default: (await import('#web/site/pages/component-gallery.tsx')).ComponentGalleryPage,
        })),
      ]
    : []),
]

const notFoundPage = page('*', 'Page not found', async () => ({
  default: (await import('#web/site/pages/not-found.tsx')).NotFoundPage,
}))

/** Returns the page at a path; a trailing slash is ignored. */
export function pageAt(pathname: string): Page {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname
  return pages.find((candidate) => candidate.path === path) ?? notFoundPage
}
