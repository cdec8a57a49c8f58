import { Button } from '#web/ui/button/button.tsx'

type Props = {
  /** The label of the submit button ('Save'), and its label while the request runs ('Saving…'). */
  label: string
  busyLabel: string
  isBusy: boolean
  /** Whether the submit button is disabled, because input is missing or the browser is offline. */
  disabled?: boolean
  /**
   * The color of the submit button. The default 'primary' is orange. Use 'secondary' while another button on the page
   * is the recommended next step.
   */
  tone?: 'primary' | 'strong' | 'secondary'
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
      <Button compact disabled={isBusy} onClick={onCancel}>
        {cancelLabel}
      </Button>
      <Button
        compact
        level={tone}
        busy={isBusy && busyLabel}
        {...('form' in submit
          ? { type: 'submit', form: submit.form }
          : { type: 'button', onClick: submit.onSubmit })}
        disabled={disabled}
      >
        {label}
      </Button>
    </>
  )
}
