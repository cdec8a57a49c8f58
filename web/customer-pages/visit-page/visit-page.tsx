import type { VisitPage } from '#contracts/api/customer-pages.ts'
import { isAhead, type VisitPageData } from '#contracts/bookings/visit-page.ts'
import { vehicleTable } from '#domain/bookings/vehicle-state-table.ts'
import { vehicleName } from '#domain/customers/vehicle.ts'
import { addressLine, type ShopFacts } from '#domain/shop/shop.ts'
import { formatDuration } from '#domain/text/duration-text.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { useShop } from '#web/lib/shop.ts'
import { Authorizations } from '../estimate-page/authorization-section.tsx'
import type { PageContent } from '../page-content.ts'
import { NoticeBox, PageHeading, PhoneLink } from '../page-parts.tsx'
import { Actions } from './action-section.tsx'
import { CancelDialog } from './cancel-booking.tsx'
import { Details, QuickLinks, untrustedLine } from './details-section.tsx'
import { actionErrorMessage, doneMessage, thanksFor } from './notices.ts'
import { DeferredJobs, EstimateLink, Payment } from './repair-section.tsx'
import { repairHistoryTexts } from './repair-text.ts'
import { vehicleStateText } from './vehicle-state-text.ts'
import { formatStampDateTime, historyTexts, weekdayName } from './visit-page-text.ts'

/** The visit page: the service, time, place and state of the appointment, and the customer's possible actions. */
export function visitPage(shop: ShopFacts, page: VisitPage): PageContent {
  const { booking, work, done, refusal } = page
  const { heading, lead } = vehicleStateText({ shop, booking, work })
  const notice = refusal ? actionErrorMessage(refusal, shop) : doneMessage(done, booking)
  const result = notice ?? thanksFor(done, booking)
  const ownerText = [booking.customerName, vehicleName(booking)].filter(Boolean).join(', ')
  const authorizations = work.sentRevision?.authorizations ?? []
  const main = (
    <main id="main" tabIndex={-1} className="visit">
      <Letterhead />
      <section className="visit-sky">
        <div className="page-width visit-top">
          <div className="visit-text">
            <NoticeBox>{notice}</NoticeBox>
            {ownerText !== '' && <p className="visit-whose">{untrustedLine(ownerText)}</p>}
            <PageHeading isResult={result === undefined}>{heading}</PageHeading>
            <p className="visit-lead">{lead}</p>
            <Progress booking={booking} />
            <EstimateLink work={work} />
            <Payment work={work} />
            <Actions page={page} />
          </div>
          <aside className="visit-side" aria-label="About this appointment">
            {work.sentRevision && <Authorizations sentRevision={work.sentRevision} />}
            <QuickLinks page={page} />
            <Details booking={booking} />
          </aside>
        </div>
      </section>
      <Body page={page} />
      {isAhead(booking) && <CancelDialog page={page} />}
    </main>
  )
  // The list of approved jobs needs the style sheet of the estimate page, which only the page frame named 'estimate'
  // loads.
  const frame = authorizations.length > 0 ? 'estimate' : 'visit'
  return { title: result ?? heading, main, frame }
}

/** The details of the shop at the top of a printed page. On a screen, the header and the footer show these details. */
function Letterhead() {
  const shop = useShop()
  return (
    <p className="visit-letterhead">
      <b>{shop.name}</b>
      <span>
        {addressLine(shop)}
        <br />
        {shop.phone.display}
      </span>
    </p>
  )
}

const stages = ['Booked', 'Here', 'Estimate', 'Work', 'Ready'] as const
/**
 * The index of the progress stage 'Estimate', which is the current stage until the customer has decided about the
 * estimate.
 */
export const stageOfEstimate = 2

/**
 * Shows the progress of the vehicle. `now` is the index of the current stage, by default the stage of the vehicle's
 * state. If `now` is null, nothing is shown.
 */
export function Progress({
  booking,
  now = stageOf(booking),
}: {
  booking: VisitPageData
  now?: number | null
}) {
  if (now === null) return null
  return (
    <ol className="visit-progress" aria-label="Progress">
      {stages.map((name, nth) => (
        <li
          key={name}
          className={nth <= now ? 'visit-stage-on' : undefined}
          aria-current={nth === now ? 'step' : undefined}
        >
          <i />
          {nth === now ? <b>{name}</b> : <span>{name}</span>}
        </li>
      ))}
    </ol>
  )
}

const stageOf = ({ state, hasStarted }: VisitPageData) =>
  state === 'expected' && hasStarted ? null : vehicleTable[state].stage

function Body({ page }: { page: VisitPage }) {
  const { booking, work } = page
  return (
    <section className="page-width visit-body">
      <div className="visit-parts">
        {isAhead(booking) && <WhatHappens booking={booking} />}
        <History page={page} />
      </div>
      <div className="visit-note">
        {booking.state.startsWith('ready') && <DeferredJobs work={work} />}
        <Deadlines booking={booking} />
        <PrintNote booking={booking} />
        <PrivacyNote isDeciding={work.sentRevision?.state === 'open'} />
      </div>
    </section>
  )
}

function WhatHappens({ booking }: { booking: VisitPageData }) {
  const { address } = useShop()
  const service = `${booking.serviceName}, about ${formatDuration(booking.durationMinutes)}.`
  const steps = [
    [
      'You bring the car',
      `Come to ${address.street} and give us the key. You can wait here or leave.`,
    ],
    ['We look at it', service],
    ['You see the price first', "We don't start anything you haven't agreed to."],
  ] as const
  return (
    <div>
      <h2>What happens {weekdayName(booking.date)}</h2>
      <ol className="visit-steps">
        {steps.map(([name, text]) => (
          <li key={name}>
            <b>{name}</b>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </div>
  )
}

function History({ page: { booking, work } }: { page: VisitPage }) {
  const lines = historyTexts(booking, repairHistoryTexts(work))
  if (lines.length === 0) return null
  return (
    <div>
      <h2>History</h2>
      <ol className="visit-timeline">
        {lines.map(({ at, text }, nth) => (
          // oxlint-disable-next-line react/no-array-index-key -- two entries may have the same text and time
          <li key={nth}>
            <b>{text}</b>
            <span className="muted">{at}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}

/** Shows the time until which the customer can change or cancel the appointment on this page. */
function Deadlines({ booking }: { booking: VisitPageData }) {
  const { mayChange, mayCancel } = booking
  if (!isAhead(booking) || !(mayChange || mayCancel)) return null
  const changeUntil = <b>{formatStampDateTime(booking.changeUntil)}</b>
  const cancelUntil = <b>{formatStampDateTime(booking.cancelUntil)}</b>
  return (
    <p>
      {booking.changeUntil === booking.cancelUntil ? (
        <>You can change or cancel here until {changeUntil}. </>
      ) : (
        <>
          {mayChange && <>You can change the time here until {changeUntil}. </>}
          {mayCancel && <>You can cancel here until {cancelUntil}. </>}
        </>
      )}
      After that, please call <PhoneLink />.
    </p>
  )
}

/**
 * On paper, the note about changes names no deadline, because the deadline may have passed when someone reads the
 * printout.
 */
function PrintNote({ booking }: { booking: VisitPageData }) {
  const { phone } = useShop()
  if (!isAhead(booking)) return null
  return (
    <p className="visit-printed">
      To change or cancel it, call {phone.display}, or open your private link in time.
    </p>
  )
}

function PrivacyNote({ isDeciding }: { isDeciding: boolean }) {
  return (
    <p className="visit-privately">
      <Icon name="lock" />
      <span>
        Anyone with this link can change your appointment
        {isDeciding && ' and answer its estimate'}. Share it only with people you trust.
      </span>
    </p>
  )
}
