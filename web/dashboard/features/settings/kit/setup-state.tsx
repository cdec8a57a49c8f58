import type { ReactNode } from 'react'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'

type Props = {
  query: { isPending: boolean; isError: boolean; data: unknown; refetch: () => unknown }
  /** The name of the data in the error message, as the beginning of a sentence. */
  what: string
  children: ReactNode
}

/** Shows its children once the data is loaded; before that, a loading or error state. */
export function SetupState({ query, what, children }: Props) {
  if (query.data) return children
  if (query.isPending) return <Skeleton className="settings-skeleton" />
  return <LoadFailure title={`${what} could not be loaded.`} onRetry={() => void query.refetch()} />
}
