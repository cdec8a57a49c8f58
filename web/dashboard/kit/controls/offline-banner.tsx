import { formatShopTime } from '#domain/calendar/shop-time.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { Icon } from '#web/ui/icon/icon.tsx'

/**
 * The banner while the browser is offline. The banner states that the page shows the data from before the connection
 * was lost, and that the user cannot save changes.
 */
export function OfflineBanner({ className = '' }: { className?: string }) {
  const offlineSince = useOfflineSince()
  if (!offlineSince) return null
  return (
    <p className={`offline-banner ${className}`} role="status">
      <Icon name="alert" />
      No connection. Showing {formatShopTime(offlineSince)}. Nothing is saved until the connection
      is back.
    </p>
  )
}
