import { useEffect, useRef, useState } from 'react'
import { type Estimate, estimateLimits } from '#contracts/estimates/estimates.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { EmptyState } from '#web/ui/empty-state/empty-state.tsx'
import { HighlightsNote } from '#web/dashboard/kit/highlights/highlights-note.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { AddJob } from './add-job.tsx'
import { ChangeEmail } from '../sent/change-email.tsx'
import { CustomerConcern, WebsitePrice } from './booked-service.tsx'
import { DepositCard } from '../deposit/deposit-card.tsx'
import { EstimateConflictNotice } from './estimate-conflict-notice.tsx'
import { CustomerFields } from './customer-fields.tsx'
import { isChangedAfterSending } from '../estimate-details.ts'
import { EstimateHead } from '../estimate-head.tsx'
import { HistoryCard } from '../sent/history-card.tsx'
import { SendSection, SendButton } from '../approval/send-section.tsx'
import { JobCard } from './job-card.tsx'
import { PayerCard } from './payer-card.tsx'
import { NotesCard } from './notes-card.tsx'
import { NotSavedNotice, saveStatusText } from './save-status.tsx'
import type { EstimateForm } from '../form/estimate-form.ts'
import type { EstimateFormActions } from '../form/estimate-form-actions.ts'
import { totalsOfForm } from '../form/form-totals.ts'
import { fieldOfProblem, isFieldOfCustomer } from '../form/problem-fields.ts'
import { RepairCard } from '../repair-card.tsx'
import { TodaysTaxRate } from './todays-tax-rate.tsx'
import { allJobs, TotalsCard } from './totals-card.tsx'
import { useEstimateForm } from '../form/use-estimate-form.ts'
import { useSendEstimate } from '../approval/use-send-estimate.ts'
import { useEstimateFormActions } from '../form/use-estimate-form-actions.ts'

type Props = {
  estimate: Estimate
  /** The `data-cell` attribute of the field that gets the focus when the editor opens. */
  firstCell: string | undefined
  /** The hourly rate of a new labor line, as text; '' when the rate could not be loaded. */
  laborRate: string
}

/** The editor of a draft estimate: its jobs, totals and notes, and the buttons that send the estimate. */
export function EstimateEditor({ estimate, firstCell, laborRate }: Props) {
  const root = useRef<HTMLDivElement>(null)
  const editing = useEstimateForm(estimate)
  const actions = useEstimateFormActions(editing.record, root, laborRate)
  useEffect(() => {
    if (firstCell) actions.focus(firstCell)
  }, [actions, firstCell])
  const missing = useRef<HTMLUListElement>(null)
  const sending = useSendEstimate(estimate, editing, missing)
  const form = editing.values
  const { taxRate } = estimate
  // The button that changes the email address is enabled only after the page has saved the draft and refetched the
  // estimate.
  const isRead = editing.saving.state === 'saved' && estimate.version === editing.seenVersion
  const [isNaming, setIsNaming] = useState(form.customer.name === '')
  return (
    <div ref={root}>
      <EstimateHead estimate={estimate} about={form} savedText={saveStatusText(editing)}>
        {!isNaming && (
          <Button
            compact
            level="quiet"
            onClick={() => {
              setIsNaming(true)
              actions.focus('customer')
            }}
          >
            Edit<span className="visually-hidden"> customer and vehicle</span>
          </Button>
        )}
        <ChangeEmail estimate={estimate} canOpen={isRead} />
      </EstimateHead>
      <NotSavedNotice editing={editing} />
      <EstimateConflictNotice editing={editing} taxRate={taxRate} />
      {isChangedAfterSending(estimate) && (
        <p className="sent-changed">You changed a sent estimate. Send it again?</p>
      )}
      {isNaming && (
        <CustomerFields
          form={form}
          actions={actions}
          isSent={estimate.sentTo !== null}
          onDone={() => {
            setIsNaming(false)
            actions.focus(form.jobs[0] ? `${form.jobs[0].key}:title` : 'add-job')
          }}
        />
      )}
      <div className="estimate estimate-editing">
        <div className="jobs">
          <CustomerConcern
            bookingId={estimate.bookingId}
            quoteRequestId={estimate.quoteRequestId}
          />
          <Jobs form={form} taxRate={taxRate} actions={actions} />
          {form.jobs.length < estimateLimits.jobs && <AddJob actions={actions} taxRate={taxRate} />}
        </div>
        <aside className="estimate-rail" aria-label="Total and sending">
          <TotalsCard form={form} taxRate={taxRate}>
            <WebsitePrice bookingId={estimate.bookingId} />
            <TodaysTaxRate estimate={estimate} editing={editing} />
          </TotalsCard>
          <PayerCard form={form} actions={actions} />
          <NotesCard form={form} actions={actions} />
          <DepositCard estimate={estimate} />
          <SendSection
            estimate={estimate}
            editing={editing}
            sending={sending}
            missing={missing}
            onSolve={(problem) => {
              if (isFieldOfCustomer(problem)) setIsNaming(true)
              actions.focus(fieldOfProblem(problem, form))
            }}
          />
          <HighlightsNote
            about={{ estimateId: estimate.id, bookingId: estimate.bookingId }}
            onUseEmail={(email) => {
              // After the estimate was sent, staff change the email address only with 'Change email', which invalidates
              // the link in the sent email.
              if (estimate.sentTo !== null) return
              actions.change((before) => ({ ...before, customer: { ...before.customer, email } }))
            }}
          />
          <HistoryCard estimate={estimate} />
          <RepairCard estimate={estimate} />
        </aside>
      </div>
      <div className="total-bar">
        <span>
          <small>{allJobs(form.jobs.length)}</small>
          <b>{formatCents(totalsOfForm(form, taxRate).all.total)}</b>
        </span>
        {form.customer.email.trim() && <SendButton sending={sending} />}
      </div>
    </div>
  )
}

function Jobs({
  form,
  taxRate,
  actions,
}: {
  form: EstimateForm
  taxRate: number
  actions: EstimateFormActions
}) {
  const lines = form.jobs.reduce((count, job) => count + job.lines.length, 0)
  if (form.jobs.length === 0) {
    return <EmptyState dashed title="No job yet. Add one by its name." />
  }
  return form.jobs.map((job, index) => {
    const neighbor = form.jobs[index + 1] ?? form.jobs[index - 1]
    return (
      <JobCard
        key={job.key}
        job={job}
        index={index}
        isLast={index === form.jobs.length - 1}
        neighbor={neighbor ? `${neighbor.key}:title` : 'add-job'}
        taxRate={taxRate}
        isFull={lines >= estimateLimits.lines}
        actions={actions}
      />
    )
  })
}
