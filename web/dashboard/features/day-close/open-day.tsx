import { useRef } from 'react'
import type { DayClose } from '#contracts/payments/day-close.ts'
import { CashCountCard } from './cash-count-card.tsx'
import { CloseCard } from './close-card.tsx'
import { ConfirmClose } from './confirm-close.tsx'
import { MovementsCard } from './movements-card.tsx'
import { useCloseForm } from './use-close-form.ts'
import { WaysCard } from './ways-card.tsx'

/**
 * The form that closes a day: the count of the cash drawer, the sums of the other payment methods, and the button that
 * closes the day.
 */
export function OpenDay({ day, onShowClose }: { day: DayClose; onShowClose: () => void }) {
  const element = useRef<HTMLDivElement>(null)
  const form = useCloseForm(day, element, onShowClose)
  return (
    <div ref={element} className="day-close-columns">
      <div className="day-close-stack">
        <CashCountCard form={form} />
        <WaysCard day={day} form={form} />
      </div>
      <CloseCard form={form} onShowClose={onShowClose} />
      <div className="day-close-stack">
        <MovementsCard day={day} />
      </div>
      <ConfirmClose form={form} />
    </div>
  )
}
