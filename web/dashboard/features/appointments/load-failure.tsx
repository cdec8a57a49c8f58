import { useEffect } from 'react'
import { Notice } from '#web/ui/notice/notice.tsx'
import { toast } from '#web/ui/toast/toast.ts'

/**
 * Shown instead of the bookings when loading failed: a toast (docs/product.md 8.5) and a notice with a retry
 * button.
 */
export function LoadFailure({ onRetry }: { onRetry: () => void }) {
  useEffect(() => {
    toast({
      title: 'Data Loading Error',
      description: 'Failed to load dashboard data.',
      variant: 'destructive',
    })
  }, [])
  return (
    <Notice tone="bad" title="Failed to load dashboard data.">
      Your appointments are safe. Only loading them failed.{' '}
      <button type="button" className="action" onClick={onRetry}>
        Try again
      </button>
    </Notice>
  )
}
