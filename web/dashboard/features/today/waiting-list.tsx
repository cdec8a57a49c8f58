import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { WaitingItem } from '#domain/today/waiting-item.ts'
import { Icon, type IconName } from '#web/ui/icon/icon.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { TodayCard } from './today-card.tsx'
import { linkTo } from './today-links.ts'

const icons: Readonly<Record<WaitingItem['about'], IconName>> = {
  bay: 'bays',
  quote: 'message',
  email: 'mail',
  date: 'calendar',
  customer: 'user',
  vehicle: 'car',
  invoice: 'receipt',
  drawer: 'drawer',
}

/** The number of lines that the list shows until the user presses 'Show all'. */
const shownAtFirst = 8

type Props = {
  title: string
  lines: readonly WaitingItem[]
  /** The text that an empty list shows; undefined until the data is loaded. */
  empty: string | undefined
  children?: ReactNode
}

/**
 * A list of records that wait for the shop or for a customer. Each line links to the page on which staff can deal with
 * the record.
 */
export function WaitingList({ title, lines, empty, children }: Props) {
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll ? lines : lines.slice(0, shownAtFirst)
  return (
    <TodayCard title={title} count={lines.length || undefined}>
      {lines.length === 0 && empty && <p className="today-empty">{empty}</p>}
      {lines.length > 0 && (
        <ul className="today-waits" aria-label={title}>
          {shown.map((line) => (
            <li key={line.key}>
              <Line line={line} />
            </li>
          ))}
        </ul>
      )}
      {shown.length < lines.length && (
        <Button compact level="quiet" className="today-all" onClick={() => setShowsAll(true)}>
          Show all {lines.length}
        </Button>
      )}
      {children}
    </TodayCard>
  )
}

function Line({ line }: { line: WaitingItem }) {
  return (
    <Link
      className={line.isUrgent ? 'today-waiting today-urgent' : 'today-waiting'}
      {...linkTo(line.target)}
    >
      <Icon name={icons[line.about]} />
      <span>
        <b>{line.title}</b> <small>{line.detail}</small>
      </span>{' '}
      <em>{line.wait}</em>
    </Link>
  )
}
