import type { EstimatePage } from '#contracts/api/customer-pages.ts'
import {
  type DecisionForm,
  decisionTotal,
  initialDecision,
} from '#contracts/estimates/decision-form.ts'
import type { SentRevision } from '#contracts/estimates/estimates.ts'
import { formatDayOfYear } from '#domain/calendar/calendar-date.ts'
import { estimateOdometer } from '#domain/estimates/odometer-text.ts'
import { payerFacts } from '#domain/estimates/payer.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { oneUntrustedLine, withoutLinks } from '#domain/text/untrusted-text.ts'
import type { PageContent } from '../page-content.ts'
import { NoticeBox, PageHeading, PhoneLink, postTo } from '../page-parts.tsx'
import { Progress, stageOfEstimate } from '../visit-page/visit-page.tsx'
import { Authorizations } from './authorization-section.tsx'
import { Decision, nameMissing, TotalBar } from './decision-section.tsx'
import { DeclineDialog } from './decline-estimate.tsx'
import { DepositSection } from './deposit-section.tsx'
import { estimateCaption, estimateHeading, leadOfOpen } from './estimate-text.ts'
import { Job } from './job-section.tsx'

/** The estimate page: each job with its reason, its price and the customer's choice. */
export function estimatePage(page: EstimatePage): PageContent {
  const { sentRevision, booking } = page
  const heading = estimateHeading(sentRevision)
  const choice = page.choice ?? initialDecision(sentRevision)
  const notice = noticeOf(page, choice)
  const isNameMissing = page.choice?.decidedByName === ''
  const title = isNameMissing ? nameMissing : (notice ?? heading)
  const main = (
    <main id="main" tabIndex={-1} className="visit estimate-page">
      <section className="visit-sky">
        <div className="page-width visit-top">
          <div className="visit-text">
            <NoticeBox>{notice}</NoticeBox>
            <p className="visit-whose">{customerAndVehicle(sentRevision)}</p>
            <Odometer sentRevision={sentRevision} />
            <PageHeading isResult={title === heading}>{heading}</PageHeading>
            <p className="visit-lead">
              <EstimateLead sentRevision={sentRevision} />
            </p>
            {booking && <Progress booking={booking} now={stageOfEstimate} />}
          </div>
        </div>
      </section>
      {sentRevision.state === 'open' ? (
        <OpenEstimate page={page} choice={choice} isNameMissing={isNameMissing} />
      ) : (
        <DecidedEstimate page={page} />
      )}
    </main>
  )
  return { title, main, frame: 'estimate' }
}

/** The text below the heading of the estimate page, which names the customer's next step. */
function EstimateLead({ sentRevision }: { sentRevision: SentRevision }) {
  switch (sentRevision.state) {
    case 'open':
      return leadOfOpen(sentRevision)
    case 'expired':
      return (
        <>
          It was good until {formatDayOfYear(sentRevision.goodUntil)}. Call <PhoneLink /> and we'll
          send you a new one.
        </>
      )
    case 'decided':
      return (
        <>
          Changed your mind, or have a question? Call <PhoneLink />.
        </>
      )
    case 'closed':
      return (
        <>
          What you approved is on the invoice. Questions? Call <PhoneLink />.
        </>
      )
  }
}

/**
 * Returns the notice above the estimate that explains why the server refused the customer's decision; undefined without
 * a refusal. A missing name needs no notice, because the name field shows an error message.
 */
function noticeOf({ sentRevision, refusal }: EstimatePage, choice: DecisionForm) {
  switch (refusal) {
    case undefined:
    case 'name_missing':
      return undefined
    case 'version_conflict':
      return 'The shop changed this estimate. Please review it again.'
    case 'other_amount':
      return `The jobs you chose cost ${formatCents(decisionTotal(sentRevision, choice))}. Please review this total, then approve.`
    default:
      return 'Your decision was not saved. Here is the current status of your estimate.'
  }
}

/** A text such as 'Maria Delgado, 2019 Subaru Outback', in which no URL or email address becomes a link. */
function customerAndVehicle({ customerName, vehicle }: SentRevision): string {
  const vehicleLabel = [vehicle.year, vehicle.make, vehicle.model].filter(Boolean).join(' ')
  return withoutLinks(
    oneUntrustedLine([customerName, vehicleLabel].filter(Boolean).join(', '), 160),
  )
}

/**
 * Shows 'Odometer: 71,506 mi', or states that the shop reads the odometer when the vehicle arrives. Renders nothing for
 * a towing estimate without a reading.
 */
function Odometer({ sentRevision: { kind, vehicle } }: { sentRevision: SentRevision }) {
  const text = estimateOdometer(kind, vehicle.odometerMiles)
  return text === '' ? null : <p className="visit-whose">{text}</p>
}

function OpenEstimate(props: { page: EstimatePage; choice: DecisionForm; isNameMissing: boolean }) {
  const { page, choice, isNameMissing } = props
  const { sentRevision, path } = page
  return (
    <>
      <form
        className="page-width estimate-body"
        method="post"
        action={postTo(`${path}/approve`)}
        data-estimate={path}
        noValidate
      >
        <Jobs page={page} choice={choice} />
        <div className="estimate-side">
          <Decision
            sentRevision={sentRevision}
            choice={choice}
            path={path}
            isNameMissing={isNameMissing}
          />
        </div>
      </form>
      <TotalBar sentRevision={sentRevision} choice={choice} />
      <DeclineDialog sentRevision={sentRevision} path={path} />
    </>
  )
}

function DecidedEstimate({ page }: { page: EstimatePage }) {
  return (
    <div className="page-width estimate-body">
      <Jobs page={page} />
      <div className="estimate-side">
        <div className="estimate-sums">
          <DepositSection
            sentRevision={page.sentRevision}
            path={page.path}
            notice={page.depositNotice}
          />
          <Authorizations sentRevision={page.sentRevision} />
        </div>
      </div>
    </div>
  )
}

/**
 * The jobs, the shop's note, the number of the estimate and the link to its PDF. If `choice` is set, each job has radio
 * buttons with which the customer approves or declines the job.
 */
function Jobs({ page, choice }: { page: EstimatePage; choice?: DecisionForm }) {
  const { sentRevision, path } = page
  const { customerNote, payer, jobs } = sentRevision
  return (
    <div className="estimate-jobs">
      {customerNote !== '' && <p className="estimate-note">{customerNote}</p>}
      {jobs.map((job) => (
        <Job key={job.key} sentRevision={sentRevision} job={job} choice={choice} />
      ))}
      {payer && (
        <dl className="card estimate-payer">
          {payerFacts(payer).map(([label, text]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{withoutLinks(text)}</dd>
            </div>
          ))}
        </dl>
      )}
      <p className="estimate-from">
        {estimateCaption(sentRevision)}{' '}
        {choice &&
          'Anyone with this link can approve work for you. Share it only with people you trust. '}
        <a href={`${path}/estimate.pdf`}>Open as PDF</a>
      </p>
    </div>
  )
}
