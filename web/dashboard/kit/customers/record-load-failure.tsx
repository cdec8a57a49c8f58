import { EmptyState } from '#web/ui/empty-state/empty-state.tsx'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { isNotFound } from './is-not-found.ts'

/** Replaces the page of a customer or vehicle that could not be loaded or no longer exists. */
export function RecordLoadFailure(props: {
  what: 'customer' | 'vehicle'
  error: Error
  onRetry: () => void
}) {
  const { what, error, onRetry } = props
  if (isNotFound(error)) return <EmptyState dashed title={`This ${what} no longer exists.`} />
  return (
    <LoadFailure title={`The ${what} could not be loaded.`} onRetry={onRetry}>
      Your records are safe. Only loading them failed.
    </LoadFailure>
  )
}
