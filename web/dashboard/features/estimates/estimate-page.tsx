import { useIsMutating, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { SearchLink } from '#web/dashboard/kit/navigation/search-link.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { SentEstimate } from './sent/sent-estimate.tsx'
import { EstimateEditor } from './editor/estimate-editor.tsx'
import { estimateDeletion, readEstimate, readLaborRate } from './estimates-api.ts'
import { formatUnitPrice } from './form/parse-cell.ts'
import './estimates.css'
import './estimate-jobs.css'
import './sent/sent-jobs.css'
import './estimate-rail.css'

/** Where no stream can be had, what another window does is seen after this long. */
const watchMs = 30_000

/** One estimate by its id: the sheet while it is a draft, and what was decided once it was handed over. */
export function EstimatePage({ id }: { id: string }) {
  const [edited, edit] = useState<{ revision: number; cell: string | undefined }>()
  // The news that it is gone may come before the answer to who deletes it here.
  const isBeingDeleted = useIsMutating({ mutationKey: estimateDeletion(id) }) > 0
  const { data, isError, refetch } = useQuery({
    queryKey: ['estimates', 'one', id],
    queryFn: () => readEstimate(id),
    enabled: !isBeingDeleted,
    refetchInterval: watchMs,
  })
  // Before anything can be typed: a line that is added begins with it.
  const rate = useQuery({ queryKey: ['settings', 'labor_rate'], queryFn: readLaborRate })
  // Undefined until it is read. Saving what is typed over what was handed over begins the next revision.
  const isShown = data && data.isFrozen && data.revision !== edited?.revision
  useFocusOnceShown(isShown)
  if (data === undefined) {
    return isError ? <LoadFailure onRetry={() => void refetch()} /> : <Skeleton />
  }
  if (data === null) {
    return (
      <Notice title="This estimate is no longer here.">
        It was deleted. <SearchLink search="?tab=invoices">All estimates</SearchLink>
      </Notice>
    )
  }
  if (isShown) {
    const { revision } = data
    return <SentEstimate estimate={data} onEdit={(cell) => edit({ revision, cell })} />
  }
  if (rate.isPending) return <Skeleton />
  // Whose rate cannot be read writes the price themselves.
  const laborRate = rate.data === undefined ? '' : formatUnitPrice(rate.data)
  return <EstimateEditor estimate={data} firstCell={edited?.cell} laborRate={laborRate} />
}

/** What was sent or decided here takes the sheet away: who did it goes on at what was decided. */
function useFocusOnceShown(isShown: boolean | null | undefined): void {
  const wasShown = useRef(isShown)
  useEffect(() => {
    const isNew = isShown && wasShown.current === false
    if (isNew && document.activeElement === document.body) {
      document.querySelector<HTMLElement>('.authorizations')?.focus()
    }
    wasShown.current = isShown
  }, [isShown])
}

function LoadFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <Notice tone="bad" title="The estimate could not be loaded.">
      Your estimate is safe. Only loading it failed.{' '}
      <button type="button" className="action" onClick={onRetry}>
        Try again
      </button>
    </Notice>
  )
}
