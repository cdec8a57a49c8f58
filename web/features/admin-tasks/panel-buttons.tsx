type Props = {
  label: string
  busyLabel: string
  isBusy: boolean
  disabled?: boolean
  onCancel: () => void
  onSubmit: () => void
}

export function PanelButtons({ label, busyLabel, isBusy, disabled, onCancel, onSubmit }: Props) {
  return (
    <>
      <button type="button" className="action" disabled={isBusy} onClick={onCancel}>
        Cancel
      </button>
      <button
        type="button"
        className="action action-primary"
        disabled={isBusy || disabled}
        onClick={onSubmit}
      >
        {isBusy ? busyLabel : label}
      </button>
    </>
  )
}
