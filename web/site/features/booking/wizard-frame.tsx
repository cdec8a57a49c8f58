import type { ReactNode } from 'react'
import { paths } from '#web/lib/paths.ts'
import { Link } from '#web/site/router.tsx'
import { useShop } from '#web/lib/shop.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { NoScriptNotice } from '#web/ui/notice/no-script-notice.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { PageHead, PageMain } from '#web/ui/page-main/page-main.tsx'
import type { Problem } from './draft/booking-draft.ts'
import './wizard-frame.css'

type WizardFrameProps = {
  /** The number of the step, 1 to 3. */
  number: number
  title: string
  problem: Problem | null
  onBack: () => void
  children: ReactNode
}

/** The frame of the three steps: back button, progress, heading, error message, and the card for special requests. */
export function WizardFrame({ number, title, problem, onBack, children }: WizardFrameProps) {
  return (
    <PageMain className="page-width inner-page">
      <div className={number === 3 ? 'wizard wizard-wide' : 'wizard'}>
        <BackButton number={number} onBack={onBack} />
        <Progress number={number} />
        <PageHead title={title} />
        <NoScriptNotice />
        {problem && (
          <div className="wizard-problem">
            <Notice tone="bad" title={problem.title}>
              {problem.text}
            </Notice>
          </div>
        )}
        {children}
        <SpecialRequests />
        <p className="find-booking">
          Already booked? <a href="/visit">Find my appointment</a>
        </p>
      </div>
    </PageMain>
  )
}

function BackButton({ number, onBack }: { number: number; onBack: () => void }) {
  const content = (
    <>
      <Icon name="arrow-left" />
      Back
    </>
  )
  return number === 1 ? (
    <Link className="back-link" to={paths.home}>
      {content}
    </Link>
  ) : (
    <button className="back-link" type="button" onClick={onBack}>
      {content}
    </button>
  )
}

function Progress({ number }: { number: number }) {
  const label = `Step ${number} of 3`
  return (
    <>
      <div
        className="wizard-progress"
        role="progressbar"
        aria-label="Booking progress"
        aria-valuemin={1}
        aria-valuemax={3}
        aria-valuenow={number}
        aria-valuetext={label}
      >
        {[1, 2, 3].map((segment) => (
          <i key={segment} className={segment <= number ? 'wizard-progress-done' : undefined} />
        ))}
      </div>
      <p className="wizard-step">{label}</p>
    </>
  )
}

function SpecialRequests() {
  const shop = useShop()
  return (
    <aside className="notice special-requests" aria-label="Special requests">
      <Icon name="mail" />
      <p>
        <b>Special request, or a service that is not listed here?</b>
        <br />
        Email <a href={`mailto:${shop.bookingEmail}`}>{shop.bookingEmail}</a> or call{' '}
        <a className="nowrap" href={shop.phone.href}>
          {shop.phone.display}
        </a>
        .
      </p>
    </aside>
  )
}
