import type { ReactNode } from 'react'
import { dashboardPath } from '#contracts/dashboard-paths.ts'
import type { MessagePage } from '#contracts/api/customer-pages.ts'
import { useShop } from '#web/lib/shop.ts'
import { buttonClass } from '#web/ui/button/button.tsx'
import { findBookingContent } from './find-booking-page.tsx'
import type { PageContent } from './page-content.ts'
import { PageHeading, PhoneLink, ShortPage } from './page-parts.tsx'

/** The pages that show only a message and the shop's contact details. */
export const messagePages: Readonly<Record<MessagePage['name'], () => PageContent>> = {
  invalid_link: () =>
    errorPage(
      'This link is not valid.',
      <>
        Call <PhoneLink /> and we'll find your appointment.
      </>,
    ),
  invalid_invoice_link: () =>
    errorPage(
      'This link is not valid.',
      <>
        Check the web address on your invoice, or call <PhoneLink /> and we'll find it.
      </>,
    ),
  invalid_invitation: () => ({
    title: 'This invitation is not valid.',
    main: (
      <ShortPage>
        <PageHeading>This invitation is not valid.</PageHeading>
        <p className="visit-lead">Ask the owner of the shop for a new invitation, or sign in.</p>
        <div className="visit-actions">
          <div className="visit-buttons">
            <a className={buttonClass('secondary')} href={dashboardPath}>
              Staff sign-in
            </a>
          </div>
        </div>
      </ShortPage>
    ),
  }),
  too_often: () =>
    errorPage(
      'Too many attempts',
      'Please wait a few minutes and open the link again, or call us.',
    ),
  too_many_bookings: () =>
    errorPage(
      'Please call us to confirm',
      "You've reached the limit for online bookings. Please call and we'll book this one for you.",
    ),
  links_sent: () =>
    findBookingContent(
      'Check your inbox',
      <p className="visit-lead">
        If this address has upcoming appointments with us, an email with the links is on its way. It
        may take a few minutes, and we send it at most once an hour.
      </p>,
    ),
  too_many_link_requests: () =>
    findBookingContent(
      'Too many attempts',
      <p className="visit-lead">Please wait a while and try again, or call us.</p>,
    ),
}

function errorPage(heading: string, lead: ReactNode): PageContent {
  const main = (
    <ShortPage>
      <PageHeading>{heading}</PageHeading>
      <p className="visit-lead">{lead}</p>
      <div className="visit-actions">
        <CallButton />
      </div>
    </ShortPage>
  )
  return { title: heading, main }
}

function CallButton() {
  const { phone } = useShop()
  return (
    <a className={buttonClass('primary')} href={phone.href}>
      Call {phone.display}
    </a>
  )
}
