import { useEffect } from 'react'
import { toast } from '#web/ui/toast/toast.ts'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'

/**
 * Shows a toast (docs/product.md 8.5), and a notice with a retry button in place of the bookings that could not be
 * loaded.
 */
export function AppointmentsLoadFailure({ onRetry }: { onRetry: () => void }) {
  useEffect(() => {
    toast({
      title: 'Data Loading Error',
      description: 'Failed to load dashboard data.',
      variant: 'destructive',
    })
  }, [])
  return (
    <LoadFailure title="Failed to load dashboard data." onRetry={onRetry}>
      Your appointments are safe. Only loading them failed.
    </LoadFailure>
  )
}
