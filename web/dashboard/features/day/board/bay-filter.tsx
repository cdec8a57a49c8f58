import type { ReactNode } from 'react'
import type { OpeningHours } from '#domain/calendar/opening-hours.ts'
import { BayLoad } from './bay-load.tsx'
import type { DayLayout } from './day-layout.ts'

type Props = {
  plan: DayLayout
  hours: OpeningHours
  /** The id of the bay whose bookings the list shows; null for bookings without a bay, undefined for all bookings. */
  chosen: string | null | undefined
  onChoose: (bayId: string | null | undefined) => void
}

/**
 * Buttons that filter the list by bay: 'All', one button per bay with a bar that shows how busy the bay is, and 'No
 * bay'.
 */
export function BayFilter({ plan, hours, chosen, onChoose }: Props) {
  return (
    <div className="day-bays" role="group" aria-label="Bay">
      <Choice
        label="All"
        blocks={plan.blocks.length}
        isChosen={chosen === undefined}
        onChoose={() => onChoose(undefined)}
      >
        <b>{plan.blocks.length}</b>
      </Choice>
      {plan.columns.map((column) => (
        <Choice
          key={column.name}
          label={column.name}
          blocks={column.blocks.length}
          isChosen={chosen === column.bayId}
          onChoose={() => onChoose(column.bayId)}
        >
          {column.bayId === null ? (
            <b>{column.blocks.length}</b>
          ) : (
            <BayLoad column={column} hours={hours} />
          )}
        </Choice>
      ))}
    </div>
  )
}

function Choice(props: {
  label: string
  blocks: number
  isChosen: boolean
  onChoose: () => void
  children: ReactNode
}) {
  const { label, blocks, isChosen, onChoose, children } = props
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      aria-label={`${label}, ${blocks} ${blocks === 1 ? 'appointment' : 'appointments'}`}
      onClick={onChoose}
    >
      <span>{label}</span>
      {children}
    </button>
  )
}
