import { BusyLabel } from '#web/ui/button/button.tsx'

type Props = {
  /** The label of the submit button ('Save'), and its label while the request runs ('Saving…'). */
  label: string
  busyLabel: string
  isBusy: boolean
  /** Whether the submit button is disabled because input is missing or the browser is offline. */
  disabled?: boolean
  /** The color of the submit button. The default 'primary' is orange. */
  tone?: 'primary' | 'strong'
  cancelLabel?: string
  onCancel: () => void
} & (
  | { onSubmit: () => void }
  /** The id of the form that the button submits. */
  | { form: string }
)

/** The buttons at the bottom of a dialog or panel of the dashboard: cancel and submit. */
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
