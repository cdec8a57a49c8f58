import { useQuery } from '@tanstack/react-query'
import type { SettingsSection } from '#contracts/database.ts'
import type { FormConflict } from '#web/dashboard/kit/forms/use-versioned-form.ts'
import {
  TheirValues,
  VersionConflictNotice,
} from '#web/dashboard/kit/forms/version-conflict-notice.tsx'
import { ChangeList } from '../history/change-list.tsx'
import { listHistory } from '../history/history-api.ts'

type Props = {
  section: SettingsSection
  conflict: FormConflict
  /** The name of one settings record, such as a bay. If set, the notice lists only the changes of this record. */
  subject?: string
}

/**
 * Shows who changed these settings while the user was typing. The form keeps the typed values; the next save overwrites
 * only the fields that the user changed.
 */
export function SettingsConflictNotice(props: Props) {
  return props.conflict.count > 0 && <MissedChanges {...props} />
}

function MissedChanges({ section, conflict: { count, overlaps }, subject }: Props) {
  const { data, dataUpdatedAt } = useQuery({
    queryKey: ['settings_history', section, 'missed', count, subject],
    queryFn: () => listHistory([section], Math.min(count, 20), subject),
    refetchInterval: 10_000,
  })
  const latest = data?.lines[0]
  if (!latest) return null
  return (
    <VersionConflictNotice
      change={{
        by: latest.changed_by_name,
        at: latest.changed_at,
        now: new Date(dataUpdatedAt),
      }}
      details={
        <>
          {data.lines.map((line) => (
            <ChangeList key={line.id} line={line} />
          ))}
          <p>Your changes are still here. Saving replaces only the fields you changed.</p>
        </>
      }
    >
      <TheirValues overlaps={overlaps} />
    </VersionConflictNotice>
  )
}
