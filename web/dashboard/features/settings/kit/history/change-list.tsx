import { formatChanges, formatSubject } from './history-text.ts'
import type { HistoryLine } from './history-api.ts'

/** One entry of the settings history: 'Notice: 2 hours → 1 hour'. */
export function ChangeList({ line }: { line: HistoryLine }) {
  const changes = formatChanges(line)
  const subject = formatSubject(line)
  return (
    <>
      {(subject || changes.length === 0) && (
        <b>
          {subject || 'The order'} {line.action}
        </b>
      )}
      <ul>
        {changes.map(({ label, from, to }) => (
          <li key={label}>
            {label}: {from !== null && <del>{from}</del>}
            {from !== null && to !== null && <span aria-hidden="true"> → </span>}
            {to !== null && <ins>{to}</ins>}
            {from !== null && to === null && ' removed'}
          </li>
        ))}
      </ul>
    </>
  )
}
