import type { ReactNode } from 'react'
import type { FindBookingPage } from '#contracts/api/customer-pages.ts'
import type { PageContent } from './page-content.ts'
import { PageHeading, PhoneLink, postTo, refusedField, ShortPage } from './page-parts.tsx'
import { buttonClass } from '#web/ui/button/button.tsx'

/** The form in which a customer who lost the link to a booking enters an email address. */
export function findBookingPage({ input }: FindBookingPage): PageContent {
  const error = input === undefined ? undefined : 'Please enter a valid email address.'
  const field = refusedField('email', error)
  return findBookingContent(
    'Find my appointment',
    <>
      <p className="visit-lead">We'll email you the links to your upcoming appointments.</p>
      <form method="post" action={postTo('/visit')} className="visit-find" noValidate>
        <label className="field-label" htmlFor="email">
          The email address you booked with
        </label>
        <input
          className="input"
          id="email"
          name="email"
          type="email"
          autoComplete="email"
          maxLength={254}
          required
          defaultValue={input ?? ''}
          {...field.attributes}
        />
        {field.message}
        <button className={buttonClass('primary')} type="submit" data-busy="Sending…">
          Email me the links
        </button>
      </form>
    </>,
    error,
  )
}

/**
 * The content of the page on which a customer requests the lost link to a booking by email; `error` is the message
 * beside the field for the email address.
 */
export function findBookingContent(heading: string, body: ReactNode, error?: string): PageContent {
  const main = (
    <ShortPage>
      <PageHeading isResult={error === undefined}>{heading}</PageHeading>
      {body}
      <p className="visit-hint">
        No email address on file? Call <PhoneLink /> and we'll find your appointment.
      </p>
    </ShortPage>
  )
  return { title: error ?? heading, main }
}
