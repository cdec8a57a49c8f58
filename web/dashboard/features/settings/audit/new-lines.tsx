import { useQuery } from '@tanstack/react-query'
import { Button } from '#web/ui/button/button.tsx'
import { type AuditFilter, pageSize, readAudit } from './audit-api.ts'

const lookEveryMs = 10_000

/**
 * Shows a button with the number of lines that are newer than the listed ones. The page adds the new lines only after a
 * press of the button, so that the list does not move.
 */
export function NewLines({
  filter,
  newestId,
  onShow,
}: {
  filter: AuditFilter
  newestId: number
  onShow: () => void
}) {
  const { data } = useQuery({
    queryKey: ['audit-newest', filter],
    queryFn: () => readAudit(filter, undefined),
    // The list of new lines is empty at first, because the page has just read the newest lines.
    initialData: [],
    staleTime: lookEveryMs,
    refetchInterval: lookEveryMs,
  })
  const count = data.filter(({ id }) => id > newestId).length
  return (
    <div role="status">
      {count > 0 && (
        <Button compact wide onClick={onShow}>
          {count === 1
            ? '1 new line'
            : `${count === pageSize ? `${count} or more` : count} new lines`}
        </Button>
      )}
    </div>
  )
}
