import { Link } from '@tanstack/react-router'
import type { RefObject } from 'react'
import type { DayClose } from '#contracts/payments/day-close.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { todayLink } from '#web/dashboard/kit/navigation/links.ts'
import { dayName, paymentCount } from './close-texts.ts'

/**
 * The header of the page with the date, the number of payments and refunds, the cash drawer, and the button that opens
 * the print view.
 */
export function DayHead(props: {
  day: DayClose
  printButton: RefObject<HTMLButtonElement | null>
  onPrint: () => void
}) {
  const { day, printButton, onPrint } = props
  return (
    <header className="record-head day-close-head">
      <div>
        <Link className="record-back" {...todayLink}>
          <Icon name="chevron-left" />
          Today
        </Link>
        <h2 tabIndex={-1}>
          {day.close ? dayName(day.day) : `Close ${dayName(day.day)}`}{' '}
          {day.close && <Badge tone="ok">closed</Badge>}
        </h2>
        <p>
          <span>{paymentCount(day)}</span> <span>Drawer: {day.drawer}</span>
        </p>
      </div>
      {day.hasLines && (
        <Button compact ref={printButton} onClick={onPrint}>
          <Icon name="print" />
          Print
        </Button>
      )}
    </header>
  )
}
