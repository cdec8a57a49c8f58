import { EmptyState } from '#web/ui/empty-state/empty-state.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { isNotFound } from './is-not-found.ts'

/** Replaces a customer or vehicle page that could not be loaded or whose record no longer exists. */
export function LoadFailure(props: {
  what: 'customer' | 'vehicle'
  error: Error
  onRetry: () => void
}) {
  const { what, error, onRetry } = props
  if (isNotFound(error)) return <EmptyState dashed title={`This ${what} no longer exists.`} />
  return (
    <Notice tone="bad" title={`The ${what} could not be loaded.`}>
      Your records are safe. Only loading them failed.{' '}
      <button type="button" className="action" onClick={onRetry}>
        Try again
      </button>
    </Notice>
  )
}
