import { useIsMutating, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useDeposit } from '#web/dashboard/kit/deposits/use-deposit.ts'
import { invoicesLink } from '#web/dashboard/kit/navigation/links.ts'
import { Notice } from '#web/ui/notice/notice.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { SentEstimate } from './sent/sent-estimate.tsx'
import { EstimateEditor } from './editor/estimate-editor.tsx'
import { estimateDeletion, readEstimate, readLaborRate } from './estimates-api.ts'
import { formatUnitPrice } from './form/parse-cell.ts'
import './estimates.css'
import './jobs.css'
import './estimate-rail.css'

/**
 * The interval, in milliseconds, at which the page looks for changes from other windows while the stream of live events
 * is not open.
 */
const watchMs = 30_000

/**
 * The page of one estimate: the editor while the estimate is a draft, otherwise the sent revision with its decisions.
 */
export function EstimatePage() {
  const { id } = useParams({ from: '/estimates/$id' })
  const [edited, edit] = useState<{ revision: number; cell: string | undefined }>()
  // During the deletion, the page must not refetch the estimate: the live event about the deletion can arrive before
  // the response.
  const isBeingDeleted = useIsMutating({ mutationKey: estimateDeletion(id) }) > 0
  const { data, isError, refetch } = useQuery({
    queryKey: ['estimates', 'one', id],
    queryFn: () => readEstimate(id),
    enabled: !isBeingDeleted,
    refetchInterval: watchMs,
  })
  // The deposit is loaded before the page opens. Otherwise the card of the deposit would later move the buttons below
  // it, and a press at that moment would be lost.
  const deposit = useDeposit(id)
  // The labor rate is loaded before the editor opens, because a new labor line starts with this rate.
  const rate = useQuery({ queryKey: ['settings', 'labor_rate'], queryFn: readLaborRate })
  // Whether the page shows the sent revision; undefined until the estimate is loaded. While staff edit a sent revision,
  // the page shows the editor; saving then creates the next revision.
  const isShown = data && data.isFrozen && data.revision !== edited?.revision
  useFocusOnceShown(isShown)
  if (data === undefined) {
    if (!isError) return <Skeleton />
    return (
      <LoadFailure title="The estimate could not be loaded." onRetry={() => void refetch()}>
        Your estimate is safe. Only loading it failed.
      </LoadFailure>
    )
  }
  if (data === null) {
    return (
      <Notice title="This estimate is no longer here.">
        It was deleted. <Link {...invoicesLink}>All estimates</Link>
      </Notice>
    )
  }
  if (deposit.isPending) return <Skeleton />
  if (isShown) {
    const { revision } = data
    return <SentEstimate estimate={data} onEdit={(cell) => edit({ revision, cell })} />
  }
  if (rate.isPending) return <Skeleton />
  // If the page cannot load the labor rate, staff type the price themselves.
  const laborRate = rate.data === undefined ? '' : formatUnitPrice(rate.data)
  return <EstimateEditor estimate={data} firstCell={edited?.cell} laborRate={laborRate} />
}

/**
 * When staff send the estimate or record a decision, the sent revision replaces the editor, which had the focus. The
 * list of the customer's decisions then gets the focus.
 */
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
