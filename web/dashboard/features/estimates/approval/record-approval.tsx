import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Authorization, Estimate } from '#contracts/estimates/estimates.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { formatShortStamp } from '#domain/calendar/shop-time.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { type Form, useForm } from '#web/lib/forms/use-form.ts'
import { FormActions } from '#web/dashboard/kit/controls/form-actions.tsx'
import { ConfirmDialog, Dialog } from '#web/ui/dialog/dialog.tsx'
import { Input, Select, TextArea } from '#web/ui/field/field.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { DecisionFields } from './decision-fields.tsx'
import { recordAuthorization, type OfflineDecision } from '../estimates-api.ts'
import { batchTitle } from '../sent/authorization-text.ts'
import { estimateErrorMessage } from '../estimate-errors.ts'
import {
  type OfflineDecisionForm,
  decisionLimits,
  newDecisionForm,
  checkDecision,
  contactLabel,
  declinedBefore,
  methodLabels,
  missingParts,
} from './offline-decision.ts'

type Props = {
  estimate: Estimate
  /** The version number of the estimate that the page shows. */
  version: number
  /** 'phone' if the button that opened the dialog is for decisions by phone; otherwise undefined. */
  method?: 'phone'
  onClose: () => void
}

/**
 * Records a customer's decision by phone, in person or in writing: the decision about each job, who decided, how and
 * when. Enter in a field does not submit the form. Staff must confirm the approval of a job that the customer declined
 * before.
 */
export function RecordApproval({ estimate, version, method, onClose }: Props) {
  const element = useRef<HTMLDivElement>(null)
  const [values, setValues] = useState(() => newDecisionForm(estimate, method ?? '', new Date()))
  const [isConfirming, setIsConfirming] = useState(false)
  const form = useForm<OfflineDecisionForm>({
    element,
    values,
    onChange: setValues,
    limits: decisionLimits,
  })
  const recording = useRecording(estimate, version, onClose)
  const earlier = declinedBefore(values, estimate.authorizations)
  const missing = missingParts(values)
  const record = (confirmed: readonly Authorization[]) => {
    setIsConfirming(false)
    const checked = checkDecision(values, confirmed, new Date())
    if (!checked.ok) return form.refuse(checked.refusal)
    form.accept()
    recording.mutate(checked.value)
  }
  return (
    <Dialog
      open
      title="Record an approval"
      busy={recording.isPending}
      onClose={onClose}
      footer={
        <FormActions
          label={recordLabel(values, estimate)}
          busyLabel="Saving…"
          isBusy={recording.isPending}
          disabled={missing.length > 0}
          onCancel={onClose}
          onSubmit={() => (earlier.length > 0 ? setIsConfirming(true) : record([]))}
        />
      }
    >
      <div className="record-approval" ref={element}>
        <DecisionFields estimate={estimate} decisions={values.decisions} onChange={form.change} />
        <OfflineDecisionFields estimate={estimate} values={values} form={form} />
        {missing.length > 0 && <p className="hint">Still needed: {missing.join(', ')}.</p>}
      </div>
      <ConfirmDialog
        open={isConfirming}
        title="Record an approval of a declined job?"
        confirmLabel="Record the approval"
        cancelLabel="Go back"
        onClose={() => setIsConfirming(false)}
        onConfirm={() => record(earlier)}
      >
        <ul className="declined-before">
          {earlier.map((line) => (
            <li key={line.id}>
              <b>{line.jobTitle}</b> {batchTitle(line, false)}, {formatShortStamp(line.decidedAt)}.
            </li>
          ))}
        </ul>
      </ConfirmDialog>
    </Dialog>
  )
}

/** The fields for who decided, how (for example by phone) and when. */
function OfflineDecisionFields(props: {
  estimate: Estimate
  values: OfflineDecisionForm
  form: Form<OfflineDecisionForm>
}) {
  const { estimate, values, form } = props
  const label = contactLabel(values.method)
  return (
    <>
      <Select
        label="How"
        required
        {...form.choice('method')}
        onChange={({ target }) => form.change(methodChange(target.value, estimate))}
      >
        <option value="">Choose…</option>
        {Object.entries(methodLabels).map(([method, name]) => (
          <option key={method} value={method}>
            {name}
          </option>
        ))}
      </Select>
      {label && <Input label={label} required {...form.field('contact')} />}
      <Input label="Who decided" required {...form.field('decidedByName')} />
      <Input label="Relationship to the customer (optional)" {...form.field('relationship')} />
      <Input label="Day" type="date" required {...form.field('date')} />
      <Input label="Time" type="time" required {...form.field('time')} />
      <TextArea label="What was said (optional)" rows={2} {...form.field('statement')} />
      <label className="checkbox">
        <input
          type="checkbox"
          checked={values.wantsPartsBack}
          onChange={({ target }) => form.change({ wantsPartsBack: target.checked })}
        />
        Customer wants the replaced parts back
      </label>
    </>
  )
}

function useRecording(estimate: Estimate, version: number, onDone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (decision: OfflineDecision) => recordAuthorization(estimate.id, version, decision),
    onSuccess: async () => {
      toast({ title: 'Recorded', description: 'Authorizations cannot be edited or deleted.' })
      // The dialog closes only after the refetch, so that the next step uses the current estimate.
      await refetchQueries(queries, 'estimates')
      onDone()
    },
    onError: async (error) => {
      toast({
        title: 'Could not record',
        description: estimateErrorMessage(error),
        variant: 'destructive',
      })
      await refetchQueries(queries, 'estimates')
    },
  })
}

/**
 * Returns the form values that change when staff select a method: the method, and the customer's email address or phone
 * number as the contact.
 */
function methodChange(method: string, { document }: Estimate): Partial<OfflineDecisionForm> {
  const { phone, email } = document.customer
  return { method, contact: method === 'email' ? email : phone }
}

/** The label of the button that records the decision, with the total of the approved jobs: 'Record $412.37'. */
function recordLabel({ decisions }: OfflineDecisionForm, { jobs }: Estimate): string {
  const approved = jobs.filter(({ key }) => decisions[key] === 'approved')
  const cents = approved.reduce((sum, { totalCents }) => sum + totalCents, 0)
  return cents > 0 ? `Record ${formatCents(cents)}` : 'Record'
}
