import { type Ref, type RefObject, useState } from 'react'
import type { Estimate, EstimateProblem } from '#contracts/estimates/estimates.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { useDeposit } from '#web/dashboard/kit/deposits/use-deposit.ts'
import { emailNotSetUp, useCanSendEmail } from '#web/dashboard/kit/records/use-onboarding.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { DeleteEstimate } from '../delete-estimate.tsx'
import type { EstimateEditing } from '../form/use-estimate-form.ts'
import { PrintLink } from '../print-link.tsx'
import { RecordApproval } from './record-approval.tsx'
import { problemMessages } from '../estimate-errors.ts'
import { isSolvedByField } from '../form/problem-fields.ts'
import type { SendState } from './use-send-estimate.ts'

type Props = {
  estimate: Estimate
  editing: EstimateEditing
  sending: SendState
  missing: RefObject<HTMLUListElement | null>
  /**
   * Called when staff press a problem in the list of missing data: opens the part of the editor with the missing field,
   * and focuses the field.
   */
  onSolve: (problem: EstimateProblem) => void
}

/**
 * The section with the buttons that send or print the estimate, or record an approval by phone. The section lists the
 * missing data without which the estimate cannot be sent.
 */
export function SendSection({ estimate, editing, sending, missing, onSolve }: Props) {
  const [isRecording, setIsRecording] = useState(false)
  const canSendEmail = useCanSendEmail()
  const { email } = editing.values.customer
  // Staff can record a decision only after the editor has saved the draft and refetched the estimate. The decision
  // refers to the version on the server.
  const isRead = editing.saving.state === 'saved' && estimate.version === editing.seenVersion
  return (
    <div className="hand-over">
      <Missing estimate={estimate} ref={missing} onSolve={onSolve} />
      {email.trim() ? (
        <>
          <SendButton sending={sending} isLarge />
          <p>
            <AskedDeposit estimateId={estimate.id} />
            To {email.trim()}, with the link to the estimate.
          </p>
          {!canSendEmail && <p>{emailNotSetUp}</p>}
        </>
      ) : (
        <PrintLink id={estimate.id} level="primary" large />
      )}
      <div className="hand-over-others">
        <Button
          compact
          level="quiet"
          disabled={!isRead || estimate.problems.length > 0}
          onClick={() => setIsRecording(true)}
        >
          <Icon name="phone" />
          Record phone approval
        </Button>
        {email.trim() && <PrintLink id={estimate.id} level="quiet" />}
        {!estimate.customerPath && <DeleteEstimate estimate={estimate} editing={editing} />}
      </div>
      {isRecording && (
        <RecordApproval
          estimate={estimate}
          version={editing.seenVersion}
          method="phone"
          onClose={() => setIsRecording(false)}
        />
      )}
    </div>
  )
}

/** The sentence about the deposit that the estimate's email requests: 'Requests a deposit of $150.00. ' */
function AskedDeposit({ estimateId }: { estimateId: string }) {
  const { data } = useDeposit(estimateId)
  if (data?.state !== 'asked' && data?.state !== 'open') return null
  const { amountCents, sharePercent } = data
  return `Requests a deposit of ${amountCents === null ? `${sharePercent}%` : formatCents(amountCents)}. `
}

export function SendButton({ sending, isLarge }: { sending: SendState; isLarge?: boolean }) {
  const isOffline = useOfflineSince() !== undefined
  return (
    <Button
      compact
      level="primary"
      large={isLarge}
      busy={sending.isBusy && 'Sending…'}
      disabled={isOffline}
      onClick={sending.send}
    >
      {isLarge && <Icon name="mail" />}
      Send for approval
    </Button>
  )
}

/** Lists the parts that staff must complete before they can send the estimate. */
function Missing(props: {
  estimate: Estimate
  ref: Ref<HTMLUListElement>
  onSolve: Props['onSolve']
}) {
  const { estimate, ref, onSolve } = props
  const { problems, document } = estimate
  if (problems.length === 0) return null
  const titleOf = (key: string | null) => document.jobs.find((job) => job.key === key)?.title
  return (
    <ul className="hand-over-missing" aria-label="Before it can be sent" tabIndex={-1} ref={ref}>
      {problems.map((problem) => {
        const { code, jobKey, line } = problem
        return (
          <li key={`${code} ${jobKey} ${line}`}>
            {titleOf(jobKey) && <b>{titleOf(jobKey)}: </b>}
            {isSolvedByField(problem) ? (
              <button type="button" className="missing-field" onClick={() => onSolve(problem)}>
                {problemMessages[code]}
              </button>
            ) : (
              problemMessages[code]
            )}
          </li>
        )
      })}
    </ul>
  )
}
