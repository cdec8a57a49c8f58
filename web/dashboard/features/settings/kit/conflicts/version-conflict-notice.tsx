import { useQuery } from '@tanstack/react-query'
import type { SettingsSection } from '#contracts/database.ts'
import { timeAgo } from '#domain/text/time-ago.ts'
import { Notice } from '#web/ui/notice/notice.tsx'
import { ChangeList } from '../history/change-list.tsx'
import { listHistory } from '../history/history-api.ts'

type Props = {
  section: SettingsSection
  /** How many changes were made since what is shown was read. */
  count: number
  /** Which of its rows, by the name that the row has now; without it all of them. */
  subject?: string
}

/** Says over the fields who changed them meanwhile; what was typed stays, and the next save goes over it. */
export function VersionConflictNotice({ section, count, subject }: Props) {
  const { data, dataUpdatedAt } = useQuery({
    queryKey: ['settings_history', section, 'missed', count, subject],
    queryFn: () => listHistory([section], Math.min(count, 20), subject),
    refetchInterval: 10_000,
  })
  const latest = data?.lines[0]
  if (!latest) return null
  const ago = timeAgo(new Date(latest.changed_at), new Date(dataUpdatedAt))
  return (
    <Notice tone="bad" title={`${latest.changed_by_name} changed this ${ago}.`}>
      <details className="missed-changes">
        <summary>Show the changes</summary>
        {data.lines.map((line) => (
          <ChangeList key={line.id} line={line} />
        ))}
        <p>Your changes are still here. Saving replaces only the fields you changed.</p>
      </details>
    </Notice>
  )
}
