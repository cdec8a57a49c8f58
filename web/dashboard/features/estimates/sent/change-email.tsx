import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { Estimate } from '#contracts/estimates/estimates.ts'
import { isEmailAddress } from '#domain/customers/email-address.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { FormActions } from '#web/dashboard/kit/controls/form-actions.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { changeEstimateEmail, type EmailChange } from '../estimates-api.ts'
import { estimateErrorMessage } from '../estimate-errors.ts'
import { emailProblem } from '../form/estimate-form.ts'

const reasons = [
  ['new_address', 'The customer has a new address', 'The customer’s decisions stay valid.'],
  [
    'wrong_recipient',
    'The old address was wrong',
    'Decisions made with the emailed link are withdrawn and authorize nothing.',
  ],
] as const

type Props = {
  estimate: Estimate
  /**
   * Whether the button 'Change email' is enabled. If the button becomes disabled while the dialog is open, the dialog
   * stays open with its typed values.
   */
  canOpen: boolean
}

/** The button that changes the email address of a sent estimate, and its dialog. */
export function ChangeEmail({ estimate, canOpen }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  if (estimate.invoice || !estimate.customerPath) return null
  return (
    <>
      <Button compact level="quiet" disabled={!canOpen} onClick={() => setIsOpen(true)}>
        {estimate.document.customer.email ? 'Change email' : 'Add email'}
      </Button>
      {isOpen && <EmailDialog estimate={estimate} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function EmailDialog({ estimate, onClose }: { estimate: Estimate; onClose: () => void }) {
  const form = useId()
  const { sentTo, document } = estimate
  const old = document.customer.email
  const [email, setEmail] = useState(old)
  // The dialog asks for the reason of the change only if an email was sent. Otherwise no stranger can have received the
  // link to the estimate.
  const [reason, setReason] = useState<EmailChange['reason'] | undefined>(
    sentTo ? undefined : 'new_address',
  )
  const change = useEmailChange(estimate, onClose)
  const isReady = reason && isEmailAddress(email.trim()) && email.trim() !== old
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) change.mutate({ email: email.trim(), reason })
  }
  return (
    <Dialog
      open
      size="small"
      title={old ? 'Change email' : 'Add email'}
      busy={change.isPending}
      onClose={onClose}
      footer={
        <FormActions
          label="Save"
          busyLabel="Saving…"
          isBusy={change.isPending}
          disabled={!isReady}
          form={form}
          onCancel={onClose}
        />
      }
    >
      <form id={form} className="change-email" onSubmit={submit}>
        <Input
          label="Email"
          type="email"
          maxLength={254}
          autoComplete="off"
          value={email}
          error={emailProblem(email)}
          onChange={({ target }) => setEmail(target.value)}
        />
        {sentTo && <ReasonFields sentTo={sentTo} reason={reason} onChange={setReason} />}
        {change.error && (
          <Notice tone="bad" title="The email was not changed.">
            {estimateErrorMessage(change.error)}
          </Notice>
        )}
      </form>
    </Dialog>
  )
}

type ReasonProps = {
  sentTo: string
  reason: EmailChange['reason'] | undefined
  onChange: (reason: EmailChange['reason']) => void
}

function ReasonFields({ sentTo, reason, onChange }: ReasonProps) {
  return (
    <fieldset>
      <legend className="field-label">The link that was sent to {sentTo} stops working.</legend>
      {reasons.map(([value, label, hint]) => (
        <label key={value} className="change-email-reason">
          <input
            type="radio"
            name="reason"
            value={value}
            checked={reason === value}
            onChange={() => onChange(value)}
          />
          <span>
            {label}
            <small>{hint}</small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function useEmailChange({ id, version }: Estimate, onDone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (change: EmailChange) => changeEstimateEmail(id, version, change),
    onSuccess: async () => {
      // The dialog closes only after the page has refetched the estimate, so that the next action of the user applies
      // to the current version.
      await refetchQueries(queries, 'estimates')
      onDone()
    },
    onError: () => refetchQueries(queries, 'estimates'),
  })
}
