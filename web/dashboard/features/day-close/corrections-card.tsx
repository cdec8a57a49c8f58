import { useId, useState } from 'react'
import { cashCommands, type FinishedClose } from '#contracts/payments/day-close.ts'
import { formatShortStamp } from '#domain/calendar/shop-time.ts'
import { differenceText } from '#domain/money/cash-count.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { runCommand } from '#web/lib/data/run-command.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Select } from '#web/ui/field/field.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { StaffName } from '#web/dashboard/kit/staff/staff-name.tsx'
import { AmountDialog } from './amount-dialog.tsx'
import { listCorrections } from './close-texts.ts'

/**
 * Lists the corrections of a close, each with the difference of the cash that remains afterwards. A correction is a new
 * record; the close itself never changes.
 */
export function CorrectionsCard({ close }: { close: FinishedClose }) {
  const [isAdding, setIsAdding] = useState(false)
  return (
    <section className="card day-close-card">
      <header>
        <h3>Corrections</h3>
        <Button compact level="quiet" onClick={() => setIsAdding(true)}>
          <Icon name="plus" />
          Add a correction
        </Button>
      </header>
      {close.corrections.length === 0 && <p className="day-close-none">None.</p>}
      <ul className="day-close-log">
        {listCorrections(close).map(({ correction, leftCents }) => (
          <li key={correction.id}>
            <b>
              {correction.reason}: {differenceText(leftCents, formatCents)}
            </b>
            <small>
              {formatShortStamp(correction.recordedAt)},{' '}
              <StaffName username={correction.recordedByName} at={correction.recordedAt} />
            </small>
          </li>
        ))}
      </ul>
      {isAdding && <CorrectionDialog close={close} onClose={() => setIsAdding(false)} />}
    </section>
  )
}

function CorrectionDialog({ close, onClose }: { close: FinishedClose; onClose: () => void }) {
  const id = useId()
  const [direction, setDirection] = useState<'more' | 'less'>('more')
  return (
    <AmountDialog
      title="Add a correction"
      label="Amount"
      reasonHint="The close itself does not change. The correction is listed below it."
      submit="Add the correction"
      save={async (amountCents, reason) => {
        const signed = direction === 'more' ? amountCents : -amountCents
        await runCommand(cashCommands.correctClose, {
          closeId: close.id,
          amountCents: signed,
          reason,
        })
      }}
      onClose={onClose}
    >
      <Select
        id={id}
        label="The drawer contained"
        value={direction}
        onChange={({ target }) => setDirection(target.value === 'less' ? 'less' : 'more')}
      >
        <option value="more">more than was counted</option>
        <option value="less">less than was counted</option>
      </Select>
    </AmountDialog>
  )
}
