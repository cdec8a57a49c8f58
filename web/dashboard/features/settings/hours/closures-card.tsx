import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ScheduleConflict } from '#contracts/bookings/schedule-conflicts.ts'
import { useShopToday } from '#web/lib/time/use-shop-today.ts'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state/empty-state.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { allBays, type SavedBay } from '../bays/bays-api.ts'
import { ScheduleConflictLink } from '../kit/conflicts/schedule-conflict-link.tsx'
import { type ClosureRow, formatDays, formatTimes, touches } from './special-hours.ts'
import { ClosureEditor } from './closure-editor.tsx'
import { closuresFrom } from './special-hours-api.ts'
import { HolidayButtons } from './holiday-buttons.tsx'
import { useClosureChange } from './use-closure-change.ts'
import { pollMs } from '../kit/poll-ms.ts'

/**
 * Lists closures and special openings, with a form to add or change one and buttons that close the shop on public
 * holidays.
 */
export function ClosuresCard({
  scheduleConflicts,
}: {
  scheduleConflicts: readonly ScheduleConflict[]
}) {
  const today = useShopToday()
  const closures = useQuery({ ...closuresFrom(today), refetchInterval: pollMs })
  const bays = useQuery(allBays)
  const { make, isBusy, question } = useClosureChange(closures.data?.version)
  const [edited, setEdited] = useState<ClosureRow>()
  const [removed, setRemoved] = useState<ClosureRow>()
  const opener = useRef<HTMLElement>(null)
  const rows = closures.data?.rows
  const bayRows = bays.data?.rows ?? []
  async function remove(row: ClosureRow) {
    const change = { kind: 'remove', id: row.id } as const
    const title = row.isOpen ? 'Special opening removed' : 'Closure removed'
    if ((await make({ change, title })) && edited?.id === row.id) setEdited(undefined)
    setRemoved(undefined)
  }
  return (
    <section className="card settings-card">
      <h3>Closures</h3>
      {closures.isError && (
        <LoadFailure
          title="The closures could not be loaded."
          onRetry={() => void closures.refetch()}
        />
      )}
      {!rows && !closures.isError && <Skeleton />}
      {rows?.length === 0 && (
        <EmptyState dashed title="No upcoming closures. Pick a holiday or add one below." />
      )}
      {rows && (
        <ClosureList
          rows={rows}
          bays={bayRows}
          scheduleConflicts={scheduleConflicts}
          today={today}
          onEdit={(row, button) => {
            opener.current = button
            setEdited(row)
          }}
          onRemove={setRemoved}
        />
      )}
      <ClosureEditor
        key={edited?.id ?? 'new'}
        edited={edited}
        version={closures.data?.version}
        bays={bayRows}
        scheduleConflicts={scheduleConflicts}
        isBusy={isBusy}
        onMake={make}
        onEnd={() => {
          setEdited(undefined)
          opener.current?.focus()
        }}
      />
      {rows && <HolidayButtons {...{ rows, today, isBusy }} onMake={make} />}
      {question}
      <ConfirmDialog
        open={removed !== undefined}
        title={removed?.isOpen ? 'Remove this special opening?' : 'Remove this closure?'}
        confirmLabel="Remove"
        busy={isBusy}
        busyLabel="Removing…"
        onClose={() => setRemoved(undefined)}
        onConfirm={() => removed && void remove(removed)}
      >
        {removed && (
          <p>
            {formatDays(removed, today)}, {formatTimes(removed)}
            {removed.reason && `, ${removed.reason}`}. The weekly hours apply again.
          </p>
        )}
      </ConfirmDialog>
    </section>
  )
}

type ListProps = {
  rows: readonly ClosureRow[]
  bays: readonly SavedBay[]
  scheduleConflicts: readonly ScheduleConflict[]
  today: string
  onEdit: (row: ClosureRow, button: HTMLElement) => void
  onRemove: (row: ClosureRow) => void
}

function ClosureList({ rows, bays, scheduleConflicts, today, onEdit, onRemove }: ListProps) {
  const whereOf = ({ bayId }: ClosureRow) =>
    bayId === null ? 'Whole shop' : (bays.find(({ id }) => id === bayId)?.name ?? 'One bay')
  return (
    <ul className="closures" aria-label="Closures">
      {rows.map((row) => {
        const days = formatDays(row, today)
        const name = [row.reason, days].filter(Boolean).join(', ')
        return (
          <li key={row.id}>
            <b>{days}</b>
            <span>{formatTimes(row)}</span>
            <span>
              {row.reason}{' '}
              <ScheduleConflictLink
                count={
                  scheduleConflicts.filter((scheduleConflict) => touches(row, scheduleConflict))
                    .length
                }
              />
            </span>
            <span className="muted">{whereOf(row)}</span>
            <span className="closure-buttons">
              <Button
                compact
                level="quiet"
                aria-label={`Change closure ${name}`}
                onClick={({ currentTarget }) => onEdit(row, currentTarget)}
              >
                Change
              </Button>
              <Button
                compact
                level="quiet"
                square
                aria-label={`Remove closure ${name}`}
                onClick={() => onRemove(row)}
              >
                <Icon name="close" />
              </Button>
            </span>
          </li>
        )
      })}
    </ul>
  )
}
