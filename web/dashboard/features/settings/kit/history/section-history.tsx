import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SettingsSection } from '#contracts/database.ts'
import { formatStamp } from '#domain/calendar/shop-time.ts'
import { EmptyState } from '#web/ui/empty-state/empty-state.tsx'
import { ShowMore } from '#web/dashboard/kit/controls/show-more.tsx'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { StaffName } from '#web/dashboard/kit/staff/staff-name.tsx'
import { ChangeList } from './change-list.tsx'
import { listHistory } from './history-api.ts'

/** The number of entries that the history shows first. Each press of 'Show more' adds the same number of entries. */
const pageSize = 10

/** The history of settings sections, collapsed by default. */
export function SectionHistory({ sections }: { sections: readonly SettingsSection[] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className="settings-history"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="disclosure">History</summary>
      {isOpen && <Changes sections={sections} />}
    </details>
  )
}

function Changes({ sections }: { sections: readonly SettingsSection[] }) {
  const [limit, setLimit] = useState(pageSize)
  const history = useQuery({
    queryKey: ['settings_history', ...sections, limit],
    queryFn: () => listHistory(sections, limit),
    placeholderData: keepPreviousData,
  })
  if (history.isError)
    return (
      <LoadFailure
        title="The history could not be loaded."
        onRetry={() => void history.refetch()}
      />
    )
  if (!history.data) return null
  const { lines, total } = history.data
  if (lines.length === 0) return <EmptyState dashed title="Nothing has been changed yet." />
  return (
    <>
      <ol className="settings-changes" aria-label="Changes">
        {lines.map((line) => (
          <li key={line.id}>
            <span className="muted">
              <StaffName username={line.changed_by_name} at={line.changed_at} />,{' '}
              <time dateTime={line.changed_at}>{formatStamp(line.changed_at)}</time>
            </span>
            <ChangeList line={line} />
          </li>
        ))}
      </ol>
      <ShowMore
        shown={lines.length}
        total={total}
        isFetching={history.isFetching}
        onShowMore={() => setLimit(limit + pageSize)}
      />
    </>
  )
}
