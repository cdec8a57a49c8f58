import type { ReactNode } from 'react'
import { Notice } from '#web/ui/notice/notice.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'

type Props = {
  query: { isPending: boolean; isError: boolean; data: unknown; refetch: () => unknown }
  /** What is read, as the beginning of a sentence. */
  what: string
  children: ReactNode
}

/** What was read, or that it is being read, or that it could not be. */
export function SetupState({ query, what, children }: Props) {
  if (query.data) return children
  if (query.isPending) return <Skeleton className="settings-skeleton" />
  return (
    <Notice tone="bad" title={`${what} could not be loaded.`}>
      <button type="button" className="action" onClick={() => void query.refetch()}>
        Try again
      </button>
    </Notice>
  )
}
