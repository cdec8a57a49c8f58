import type { ReactNode } from 'react'
import type { AddressPage, AddressQuestion } from '#contracts/api/customer-pages.ts'
import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import type { PageContent } from './page-content.ts'
import { ActionButton, PageHeading, PhoneLink, ShortPage } from './page-parts.tsx'

/**
 * The page that asks the recipient of an email: is this your email address? A visitor booked online with this address
 * and with the name and phone number of an existing customer.
 */
export function addressPage(page: AddressPage): PageContent {
  const heading = headings[page.question.state]
  const main = (
    <ShortPage>
      <PageHeading>{heading}</PageHeading>
      {texts[page.question.state](page)}
    </ShortPage>
  )
  return { title: heading, main }
}

const headings: Readonly<Record<AddressQuestion['state'], string>> = {
  open: 'Is this your email address?',
  answered: 'Thank you',
  closed: 'There is nothing left to confirm',
}

const texts: Readonly<Record<AddressQuestion['state'], (page: AddressPage) => ReactNode>> = {
  open: ({ question: { email, date, time }, path }) => (
    <>
      <p className="visit-lead visit-address">
        <b>{email}</b>
      </p>
      <p>
        Someone booked online for {formatLongDate(date)} at {formatTime(time)} with your name and
        phone number, and typed this address. If it is yours, we add it to your addresses and can
        send estimates there.
      </p>
      <div className="visit-actions">
        <ActionButton action={`${path}/confirm`} busy="Saving…" variant="primary">
          Yes, that is my address
        </ActionButton>
      </div>
      <p className="visit-hint">
        Not yours? Ignore this page, and we won't use the address. If you did not book this
        appointment, please call <PhoneLink />.
      </p>
    </>
  ),
  answered: ({ question }) => (
    <>
      <p className="visit-lead visit-address">
        You confirmed <b>{question.email}</b> as one of your addresses.
      </p>
      <p className="visit-hint">
        If you confirmed this address by mistake, please call <PhoneLink />.
      </p>
    </>
  ),
  closed: () => (
    <>
      <p className="visit-lead">
        This email address is confirmed already, or the appointment was cancelled.
      </p>
      <p className="visit-hint">
        Questions? Call <PhoneLink />.
      </p>
    </>
  ),
}
