import { type ReactNode, useState } from 'react'
import type { Estimate } from '#contracts/estimates/estimates.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { formatShortStamp } from '#domain/calendar/shop-time.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { StaffName } from '#web/dashboard/kit/staff/staff-name.tsx'
import { groupBatches, type AuthorizationBatch } from './authorization-text.ts'
import { RecordApproval } from '../approval/record-approval.tsx'

type Props = {
  estimate: Estimate
  /** Opens the editor, in which staff create the next revision of the estimate. */
  onAddWork: () => void
}

/** Lists the customer's authorizations of an estimate with the authorized total. The list is append-only. */
export function AuthorizationList({ estimate, onAddWork }: Props) {
  const [isRecording, setIsRecording] = useState(false)
  const batches = groupBatches(estimate.authorizations)
  return (
    <section className="card authorizations" aria-label="Authorizations" tabIndex={-1}>
      <header>
        <h3>Authorizations</h3>
        {!estimate.invoice && batches.length > 0 && (
          <Button compact onClick={onAddWork}>
            <Icon name="phone" />
            Add work approved by phone
          </Button>
        )}
      </header>
      <ul>
        {batches.map((batch) => (
          <Batch key={batch.id} batch={batch} />
        ))}
        {batches.length === 0 && <li className="authorizations-none">No decisions yet.</li>}
      </ul>
      <p className="authorizations-sum">
        <span>Authorized total</span> <b>{formatCents(estimate.authorizedCents)}</b>
      </p>
      {!estimate.invoice && (
        <Button compact level="quiet" onClick={() => setIsRecording(true)}>
          Record an approval
        </Button>
      )}
      {isRecording && (
        <RecordApproval
          estimate={estimate}
          version={estimate.version}
          onClose={() => setIsRecording(false)}
        />
      )}
    </section>
  )
}

function Batch({ batch }: { batch: AuthorizationBatch }): ReactNode {
  const { decision, title, jobs, more, cents, decidedAt, recordedBy, voidText } = batch
  return (
    <li className={decision === 'approved' && !voidText ? undefined : 'authorizations-declined'}>
      <div>
        <b>{title}</b>
        <span>
          {more} {jobs}
        </span>
        {voidText && <span className="authorizations-void">{voidText}</span>}
        <small>
          {formatShortStamp(decidedAt)}
          {recordedBy && (
            <>
              , recorded by <StaffName username={recordedBy} at={decidedAt} />
            </>
          )}
        </small>
      </div>
      {decision !== 'declined' && (
        <b className={voidText ? 'authorizations-void-amount' : undefined}>
          {decision === 'withdrawn' && '−'}
          {formatCents(cents)}
        </b>
      )}
    </li>
  )
}
