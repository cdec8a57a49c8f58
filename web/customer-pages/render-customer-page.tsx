import { renderToStaticMarkup } from 'react-dom/server'
import type { CustomerPage, RenderCustomerPage } from '#contracts/api/customer-pages.ts'
import { setShopTimeZone } from '#domain/calendar/shop-time-zone.ts'
import type { ShopFacts } from '#domain/shop/shop.ts'
import { ShopContext } from '#web/lib/shop.ts'
import { addressPage } from './address-page.tsx'
import { declinePage } from './estimate-page/decline-estimate.tsx'
import { estimatePage } from './estimate-page/estimate-page.tsx'
import { findBookingPage } from './find-booking-page.tsx'
import { joinedPage, joinPage } from './join-page.tsx'
import { messagePages } from './message-pages.tsx'
import { invoicePage } from './invoice-page.tsx'
import type { PageContent } from './page-content.ts'
import { cancelPage } from './visit-page/cancel-booking.tsx'
import { reschedulePage } from './visit-page/reschedule-page.tsx'
import { visitPage } from './visit-page/visit-page.tsx'

/** Renders a page as HTML without client-side React. */
export const renderCustomerPage: RenderCustomerPage = (shop, page) => {
  setShopTimeZone(shop.timeZone)
  const { title, main, frame = 'visit' } = contentOf(shop, page)
  const html = renderToStaticMarkup(<ShopContext value={shop}>{main}</ShopContext>)
  return { frame, title, main: html }
}

function contentOf(shop: ShopFacts, page: CustomerPage): PageContent {
  switch (page.name) {
    case 'visit':
      return visitPage(shop, page)
    case 'cancel':
      return cancelPage(page)
    case 'reschedule':
      return reschedulePage(shop, page)
    case 'estimate':
      return estimatePage(page)
    case 'decline':
      return declinePage(page)
    case 'address':
      return addressPage(page)
    case 'invoice':
      return invoicePage(page)
    case 'join':
      return joinPage(shop, page)
    case 'joined':
      return joinedPage(page)
    case 'find_booking':
      return findBookingPage(page)
    default:
      return messagePages[page.name]()
  }
}
