import type { Estimate } from '#contracts/estimates/estimates.ts'
import { payerLabels } from '#domain/estimates/payer.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { HighlightsNote } from '#web/dashboard/kit/highlights/highlights-note.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { SentJobs } from './sent-jobs.tsx'
import { ChangeEmail } from './change-email.tsx'
import { DepositCard } from '../deposit/deposit-card.tsx'
import { draftSavedAt } from '../estimate-details.ts'
import { EstimateHead } from '../estimate-head.tsx'
import { EstimateLink } from './estimate-link.tsx'
import { HistoryCard } from './history-card.tsx'
import { AuthorizationList } from './authorization-list.tsx'
import { EmailsCard } from '../emails-card.tsx'
import { NextStepsCard } from './next-steps-card.tsx'
import { PrintLink } from '../print-link.tsx'
import { SentElsewhere } from './sent-in-other-window.tsx'
import { formOfDocument } from '../form/estimate-form.ts'
import { RepairCard } from '../repair-card.tsx'
import { formatShopTime } from '#domain/calendar/shop-time.ts'

/** The third-party payer of a sent estimate. */
function PayerNote({ payer }: { payer: Estimate['document']['payer'] }) {
  if (payer.name === '') return null
  return (
    <section className="card rail-card">
      <h3>{payerLabels.name}</h3>
      <p>
        {payer.name}, {payer.reference}
      </p>
      {payer.approvedCents !== null && (
        <p>
          {payerLabels.approved}: {formatCents(payer.approvedCents)}
        </p>
      )}
    </section>
  )
}

type Props = {
  estimate: Estimate
  /**
   * Opens the editor, in which staff create the next revision of the estimate. `cell` is the `data-cell` attribute of
   * the field to focus.
   */
  onEdit: (cell?: string) => void
}

/** A sent estimate: its jobs, the authorizations, and the next steps. */
export function SentEstimate({ estimate, onEdit }: Props) {
  const { internalNote } = estimate.document
  return (
    <>
      <EstimateHead
        estimate={estimate}
        about={formOfDocument(estimate.document)}
        savedText={formatShopTime(new Date(draftSavedAt(estimate)))}
      >
        {!estimate.invoice && (
          <Button compact level="quiet" onClick={() => onEdit()}>
            Change the estimate
          </Button>
        )}
        <ChangeEmail estimate={estimate} canOpen />
      </EstimateHead>
      <SentElsewhere estimate={estimate} />
      <div className="estimate estimate-answered">
        <div className="jobs">
          <SentJobs estimate={estimate} onAddWork={() => onEdit('add-job')} />
        </div>
        <aside className="estimate-rail" aria-label="Authorization and next steps">
          <NextStepsCard estimate={estimate} />
          <DepositCard estimate={estimate} />
          <AuthorizationList estimate={estimate} onAddWork={() => onEdit('add-job')} />
          <PayerNote payer={estimate.document.payer} />
          {internalNote && (
            <section className="card rail-card">
              <h3>
                <Icon name="lock" />
                Internal note
              </h3>
              <p className="note-text">{internalNote}</p>
            </section>
          )}
          <EstimateLink estimate={estimate} />
          <EmailsCard estimate={estimate} />
          <HistoryCard estimate={estimate} />
          <HighlightsNote about={{ estimateId: estimate.id, bookingId: estimate.bookingId }} />
          <RepairCard estimate={estimate} />
          <PrintLink id={estimate.id} level="secondary" />
        </aside>
      </div>
    </>
  )
}
