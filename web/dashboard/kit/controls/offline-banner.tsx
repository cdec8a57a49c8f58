import { formatShopTime } from '#domain/calendar/shop-time.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { Icon } from '#web/ui/icon/icon.tsx'

/**
 * The banner while the browser is offline. The page then shows the data of the last time online, and the user can save
 * nothing.
 */
export function OfflineBanner({ className = '' }: { className?: string }) {
  const offlineSince = useOfflineSince()
  if (!offlineSince) return null
  return (
    <p className={`offline-banner ${className}`} role="status">
      <Icon name="alert" />
      No connection. Showing {formatShopTime(offlineSince)}. Nothing is saved until it is back.
    </p>
  )
}
