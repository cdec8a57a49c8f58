import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { looksAutomated } from './booking-words.ts'
import type { Selectable } from './bookings-api.ts'

type Props = {
  open: boolean
  chosen: readonly Selectable[]
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** How many names it lists before it only counts. */
const shownNames = 5

function whomToCall(chosen: number, people: number): string {
  if (people === 0) {
    return `${chosen === 1 ? 'It looks' : 'All of them look'} automated. No e-mail is sent.`
  }
  const who = chosen === 1 ? 'It does' : people === 1 ? '1 of them does' : `${people} of them do`
  return `No e-mail is sent. ${who} not look automated: please call first.`
}

/** Asks before many appointments are cancelled: how many, whose, and who has to be called. */
export function CancelBookingsDialog({ open, chosen, isBusy, onConfirm, onClose }: Props) {
  const many = chosen.length === 1 ? '1 appointment' : `${chosen.length} appointments`
  const names = chosen.slice(0, shownNames).map(({ customer_name }) => customer_name)
  const others = chosen.length - names.length
  const people = chosen.filter((booking) => !looksAutomated(booking)).length
  return (
    <ConfirmDialog
      open={open}
      title={`Cancel ${many}`}
      confirmLabel={`Cancel ${many}`}
      cancelLabel="Keep"
      busyLabel="Cancelling..."
      busy={isBusy}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        {many} will be cancelled and {chosen.length === 1 ? 'its time is' : 'their times are'} free
        again: <b>{names.join(', ')}</b>
        {others > 0 && ` and ${others} more`}.
      </p>
      <p>{whomToCall(chosen.length, people)}</p>
    </ConfirmDialog>
  )
}
