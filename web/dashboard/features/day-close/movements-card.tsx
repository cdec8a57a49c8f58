import { useState } from 'react'
import type { DayClose } from '#contracts/payments/day-close.ts'
import { formatShortStamp } from '#domain/calendar/shop-time.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { Button } from '#web/ui/button/button.tsx'
import { StaffName } from '#web/dashboard/kit/staff/staff-name.tsx'
import { MovementDialog, type MovementKind, movementNames } from './movement-dialog.tsx'

/**
 * Lists the cash that staff put into the drawer or took out on a day, with buttons that record further cash movements.
 */
export function MovementsCard({ day }: { day: DayClose }) {
  const [kind, setKind] = useState<MovementKind>()
  // The page of a past day has no buttons, because the server records every cash movement under the current day.
  const isNow = day.close === null && day.day === day.today
  if (!isNow && day.movements.length === 0) return null
  return (
    <section className="card day-close-card">
      <header>
        <h3>Paid in / Paid out</h3>
        {isNow && (
          <div className="day-close-buttons">
            <Button compact onClick={() => setKind('paid_in')}>
              Paid in
            </Button>
            <Button compact onClick={() => setKind('paid_out')}>
              Paid out
            </Button>
          </div>
        )}
      </header>
      {day.movements.length === 0 && (
        <p className="day-close-none">
          Cash for parts, or change from the bank. Nothing was paid in or out today.
        </p>
      )}
      <ul className="day-close-log">
        {day.movements.map((movement) => (
          <li key={movement.id}>
            <b>
              {movementNames[movement.kind]} {formatCents(movement.amountCents)}: {movement.reason}
            </b>
            <small>
              {formatShortStamp(movement.recordedAt)},{' '}
              <StaffName username={movement.recordedByName} at={movement.recordedAt} />
            </small>
          </li>
        ))}
      </ul>
      {kind && <MovementDialog kind={kind} onClose={() => setKind(undefined)} />}
    </section>
  )
}
