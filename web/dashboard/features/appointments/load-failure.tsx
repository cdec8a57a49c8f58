import { useEffect } from 'react'
import { Notice } from '#web/ui/notice/notice.tsx'
import { toast } from '#web/ui/toast/toast.ts'

/** Where the appointments would be when they could not be read: a toast (docs/product.md 8.5), and a way on. */
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
