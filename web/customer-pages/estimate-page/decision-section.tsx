import {
  approvalLimitText,
  type DecisionForm,
  decisionTotal,
  isApproved,
  isDecided,
  nameOf,
  type SentJob,
} from '#contracts/estimates/decision-form.ts'
import type { SentRevision } from '#contracts/estimates/estimates.ts'
import type { Deposit } from '#contracts/payments/deposits.ts'
import { depositCents } from '#domain/estimates/deposit-sum.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { PhoneLink, refusedField } from '../page-parts.tsx'
import { asksForDeposit, DepositNow } from './deposit-section.tsx'
import { formatJobCount } from './estimate-text.ts'
import { buttonClass } from '#web/ui/button/button.tsx'

export const nameMissing = 'Please type your name.'

type DecisionProps = { sentRevision: SentRevision; choice: DecisionForm }

/**
 * The last part of the approval form: the total of the chosen jobs, the field for the customer's name, and the submit
 * button, whose label contains the total.
 */
export function Decision(props: DecisionProps & { path: string; isNameMissing: boolean }) {
  const { sentRevision, choice, path, isNameMissing } = props
  const cents = decisionTotal(sentRevision, choice)
  return (
    <section className="card estimate-sum" id="decide" aria-labelledby="decide-title">
      <h2 id="decide-title" className="card-heading">
        Your decision
      </h2>
      <Sum sentRevision={sentRevision} choice={choice} />
      <DepositNow sentRevision={sentRevision} cents={cents} />
      <NameField decidedByName={choice.decidedByName} isMissing={isNameMissing} />
      <label className="estimate-parts-back">
        <input
          type="checkbox"
          name="parts-back"
          value="yes"
          defaultChecked={choice.wantsPartsBack}
        />
        I want the replaced parts back
      </label>
      <input type="hidden" name="revision" value={sentRevision.revisionHash} />
      <input type="hidden" name="shown" value={cents} data-shown={sentRevision.authorizedCents} />
      <ApproveButton
        isEmpty={choice.approved.size === 0}
        cents={cents}
        deposit={asksForDeposit(sentRevision) ? sentRevision.deposit : undefined}
      />
      <a
        className={buttonClass('quiet')}
        href={`${path}/decline`}
        data-dialog="decline-estimate"
        data-decline
      >
        {choice.approved.size === 0 ? 'Decline' : 'Decline everything'}
      </a>
      <h3>What happens next</h3>
      <ol className="estimate-then">
        {asksForDeposit(sentRevision) && (
          <li>You pay the deposit on the payment page, then return here.</li>
        )}
        <li>We start the jobs that you approved.</li>
        <li>You get an email that lists the approved jobs, if we have your email address.</li>
        <li>
          {asksForDeposit(sentRevision)
            ? 'You pay the rest when the work is done.'
            : 'You pay when the work is done.'}
        </li>
      </ol>
      <p className="hint">
        Questions first? Call <PhoneLink />.
      </p>
    </section>
  )
}

type ApproveProps = {
  readonly isEmpty: boolean
  readonly cents: number
  /** The deposit that the customer pays together with the approval. */
  readonly deposit: Deposit | undefined
}

/**
 * The button 'Approve $412.37', or 'Approve and pay $150.00' with a deposit. While no job is chosen, the button is
 * hidden, so that only 'Decline' remains. A script updates the button after each choice; without JavaScript, a button
 * without an amount submits the choice.
 */
function ApproveButton({ isEmpty, cents, deposit }: ApproveProps) {
  return (
    <>
      <div data-approve hidden={isEmpty}>
        <button
          className={buttonClass('primary', { large: true })}
          type="submit"
          data-busy="Approving…"
        >
          {deposit
            ? `Approve and pay ${formatCents(depositCents(deposit, cents))}`
            : `Approve ${formatCents(cents)}`}
        </button>
        <p className="estimate-limit">{approvalLimitText}</p>
      </div>
      {isEmpty && (
        <noscript>
          <button className={buttonClass('secondary')} type="submit">
            Approve the jobs I chose
          </button>
        </noscript>
      )}
    </>
  )
}

function Sum({ sentRevision, choice }: DecisionProps) {
  return (
    <dl className="estimate-totals">
      {sentRevision.jobs.map((job) => (
        <JobRow
          key={job.key}
          job={job}
          isOn={isApproved(sentRevision, choice, job)}
          isBefore={isDecided(sentRevision, job)}
        />
      ))}
      <RemovedJobs sentRevision={sentRevision} />
      <div className="estimate-all">
        <dt>
          <span data-count>{jobCountOf({ sentRevision, choice })}</span>, tax included
        </dt>
        <dd data-total>{formatCents(decisionTotal(sentRevision, choice))}</dd>
      </div>
    </dl>
  )
}

function jobCountOf({ sentRevision, choice }: DecisionProps): string {
  const { jobs } = sentRevision
  const wanted = jobs.filter((job) => isApproved(sentRevision, choice, job))
  return formatJobCount(wanted.length, jobs.length)
}

type JobRowProps = {
  job: SentJob
  isOn: boolean
  /** Whether the customer already approved or declined the job in an earlier submission of the form. */
  isBefore: boolean
}

/**
 * The row of one job above the total. `data-on` is the price of a chosen job and `data-off` the text of a job that is
 * not chosen. A script shows one of the two texts.
 */
function JobRow({ job, isOn, isBefore }: JobRowProps) {
  const before = formatCents(job.authorizedCents)
  const on = isBefore ? before : formatCents(job.totalCents)
  const off = job.authorizedCents > 0 ? before : 'not now'
  return (
    <div className={isOn ? undefined : 'estimate-off'} data-job={nameOf(job.key)}>
      <dt>
        {job.title}
        {isBefore && <small>{isOn ? 'already approved' : 'already decided'}</small>}
      </dt>
      <dd {...(!isBefore && { 'data-on': on, 'data-off': off })}>{isOn ? on : off}</dd>
    </div>
  )
}

/** Shows the approved total of the jobs that staff removed from the estimate after the approval. */
function RemovedJobs({ sentRevision: { jobs, authorizedCents } }: { sentRevision: SentRevision }) {
  const removedCents = jobs.reduce((rest, job) => rest - job.authorizedCents, authorizedCents)
  if (removedCents <= 0) return null
  return (
    <div>
      <dt>
        Other jobs<small>already approved</small>
      </dt>
      <dd>{formatCents(removedCents)}</dd>
    </div>
  )
}

function NameField({ decidedByName, isMissing }: { decidedByName: string; isMissing: boolean }) {
  const { attributes, message } = refusedField('decidedBy', isMissing ? nameMissing : undefined)
  return (
    <div className="field">
      <label htmlFor="decidedBy">
        Type your name to approve{' '}
        <span className="required-mark" aria-hidden="true">
          *
        </span>
      </label>
      <input
        className="input"
        id="decidedBy"
        name="decidedBy"
        autoComplete="name"
        maxLength={100}
        required
        defaultValue={decidedByName}
        {...attributes}
      />
      {message}
    </div>
  )
}

/** The total of the chosen jobs. On a phone, the total stays at the bottom of the screen. */
export function TotalBar({ sentRevision, choice }: DecisionProps) {
  return (
    <div className="estimate-bar">
      <span>
        <small data-count>{jobCountOf({ sentRevision, choice })}</small>
        <b data-total>{formatCents(decisionTotal(sentRevision, choice))}</b>
      </span>
      <a className={buttonClass('primary')} href="#decide">
        Review and approve
      </a>
    </div>
  )
}
