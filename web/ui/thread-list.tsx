import { SearchLink } from '#web/lib/search-link.tsx'
import { type ThreadEntry, threadLabel, threadLink } from '#web/lib/thread.ts'
import './thread-list.css'

const kinds = {
  quote: 'Quote request',
  booking: 'Appointment',
  estimate: 'Estimate',
  task: 'Task',
  invoice: 'Invoice',
  payment: 'Payment',
} as const satisfies Record<ThreadEntry['kind'], string>

/** Records of one repair, each leading to its place. */
export function ThreadList({ entries }: { entries: readonly ThreadEntry[] }) {
  return (
    <ul className="thread-list">
      {entries.map((entry) => (
        <li key={`${entry.kind} ${entry.id}`}>
          <span>{kinds[entry.kind]}</span> <ThreadName entry={entry} />{' '}
          <span className="thread-state">{entry.state.replaceAll('_', ' ')}</span>
        </li>
      ))}
    </ul>
  )
}

function ThreadName({ entry }: { entry: ThreadEntry }) {
  const search = threadLink(entry)
  const label = threadLabel(entry) || 'not numbered yet'
  return search ? <SearchLink search={search}>{label}</SearchLink> : <b>{label}</b>
}
