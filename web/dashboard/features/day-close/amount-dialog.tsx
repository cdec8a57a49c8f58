import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { parseCents } from '#domain/money/money.ts'
import { FormDialog } from '#web/dashboard/kit/controls/form-dialog.tsx'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { Input } from '#web/ui/field/field.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { refusalText } from './close-texts.ts'
import { dayCloseKey } from './day-close-api.ts'

type Props = {
  title: string
  /** The label of the amount. */
  label: string
  reasonHint: string
  submit: string
  /** A control above the amount field, such as the choice whether cash was added or removed. */
  children?: ReactNode
  save: (amountCents: number, reason: string) => Promise<void>
  onClose: () => void
}

/**
 * A dialog with an amount field and a reason field. If the server refuses the command, both fields keep their input.
 */
export function AmountDialog({ title, label, reasonHint, submit, children, save, onClose }: Props) {
  const element = useRef<HTMLFormElement>(null)
  const queries = useQueryClient()
  const isOffline = useOfflineSince() !== undefined
  const [values, onChange] = useState({ amount: '', reason: '' })
  const form = useForm({ element, values, onChange, limits: { reason: 200 } })
  const saving = useMutation({
    mutationFn: (cents: number) => save(cents, values.reason.trim()),
    async onSuccess() {
      await refetchQueries(queries, dayCloseKey)
      onClose()
    },
  })
  function send() {
    const cents = parseCents(values.amount)
    if (!cents)
      return form.complain({ amount: 'Please enter an amount above 0, for example 20.00.' })
    if (cents > mostCents) return form.complain({ amount: 'Enter at most $100,000.00.' })
    if (values.reason.trim() === '') return form.complain({ reason: 'Please enter a reason.' })
    saving.mutate(cents)
  }
  return (
    <FormDialog
      title={title}
      label={submit}
      busyLabel="Saving…"
      isBusy={saving.isPending}
      disabled={isOffline}
      element={element}
      className="day-close-form"
      onSubmit={send}
      onClose={onClose}
    >
      {saving.isError && (
        <Notice tone="bad" title="Nothing was recorded.">
          {refusalText(saving.error)}
        </Notice>
      )}
      {children}
      <Input
        {...form.field('amount')}
        label={label}
        required
        inputMode="decimal"
        autoComplete="off"
      />
      <Input
        {...form.field('reason')}
        label="Reason"
        required
        autoComplete="off"
        hint={reasonHint}
      />
    </FormDialog>
  )
}

/** The largest amount that the database accepts, in cents. */
const mostCents = 10_000_000
