import { capitalized } from '#domain/text/capitalized.ts'
import { Link } from '@tanstack/react-router'
import { type RepairRecord, repairRecordLabel, repairRecordLink } from './repair-records.ts'
import './repair-record-list.css'

const kinds = {
  quote: 'Quote request',
  booking: 'Appointment',
  estimate: 'Estimate',
  task: 'Task',
  invoice: 'Invoice',
} as const satisfies Record<Exclude<RepairRecord['kind'], 'payment'>, string>

/** The records of one repair, each with a link to its page. */
export function RepairRecordList({ entries }: { entries: readonly RepairRecord[] }) {
  return (
    <ul className="repair-list">
      {entries.map((entry) => (
        <li key={`${entry.kind} ${entry.id}`}>
          <span>{kindOf(entry)}</span> <RepairRecordName entry={entry} />{' '}
          {entry.kind !== 'payment' && (
            <span className="thread-state">{entry.state.replaceAll('_', ' ')}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

/**
 * Returns the name of a record's kind. For a record of the kind 'payment', the name is its state: 'Payment', 'Deposit'
 * or 'Refund'.
 */
const kindOf = ({ kind, state }: RepairRecord) =>
  kind === 'payment' ? capitalized(state) : kinds[kind]

function RepairRecordName({ entry }: { entry: RepairRecord }) {
  const link = repairRecordLink(entry)
  const label = repairRecordLabel(entry) || 'not numbered yet'
  return link ? <Link {...link}>{label}</Link> : <b>{label}</b>
}
