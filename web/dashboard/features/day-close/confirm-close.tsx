import { differenceText } from '#domain/money/cash-count.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { dayName } from './close-texts.ts'
import type { CloseForm } from './use-close-form.ts'

/** Asks for a confirmation before the day is closed, because nobody can undo a close. */
export function ConfirmClose({ form }: { form: CloseForm }) {
  const { day, figures, closing, confirmation } = form
  const { countedCents, differenceCents, remainsCents, bankCents } = figures
  return (
    <Dialog
      open={confirmation.isOpen}
      size="small"
      title={`Close ${dayName(day.day)}?`}
      busy={closing.isPending}
      onClose={confirmation.close}
      footer={
        <>
          <Button
            compact
            data-first-focus
            disabled={closing.isPending}
            onClick={confirmation.close}
          >
            Keep counting
          </Button>
          <Button
            compact
            level="primary"
            busy={closing.isPending && 'Closing…'}
            onClick={() => closing.mutate()}
          >
            Close the day
          </Button>
        </>
      }
    >
      <p>
        {formatCents(countedCents)} counted, {differenceText(differenceCents, formatCents)}.{' '}
        {formatCents(bankCents)} for the bank, {formatCents(remainsCents)} stays in the drawer.
      </p>
      <p>Closing is final. Payments from now on count for the next day.</p>
    </Dialog>
  )
}
