import { BusyLabel } from '#web/ui/button/button.tsx'

type Props = {
  /** What is done ('Save'), and the same while it is under way ('Saving…'). */
  label: string
  busyLabel: string
  isBusy: boolean
  /** Whether the deed has to wait: for what is missing, or for the connection. */
  disabled?: boolean
  /** How it looks: orange unless told otherwise. */
  tone?: 'primary' | 'strong'
  cancelLabel?: string
  onCancel: () => void
} & (
  | { onSubmit: () => void }
  /** The id of the form that it submits. */
  | { form: string }
)

/** The foot of a dialog or panel of the dashboard: the way back, and the deed. */
export function FormActions({
  label,
  busyLabel,
  isBusy,
  disabled,
  tone = 'primary',
  cancelLabel = 'Cancel',
  onCancel,
  ...submit
}: Props) {
  return (
    <>
      <button type="button" className="action" disabled={isBusy} onClick={onCancel}>
        {cancelLabel}
      </button>
      <button
        {...('form' in submit
          ? { type: 'submit', form: submit.form }
          : { type: 'button', onClick: submit.onSubmit })}
        className={`action action-${tone}`}
        disabled={isBusy || disabled}
      >
        <BusyLabel busy={isBusy && busyLabel}>{label}</BusyLabel>
      </button>
    </>
  )
}
