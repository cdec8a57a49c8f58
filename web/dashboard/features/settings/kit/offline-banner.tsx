import { formatShopTime } from '#domain/calendar/shop-time.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { Icon } from '#web/ui/icon/icon.tsx'

/** Shown while the browser is offline: nothing can be saved, and the settings are from the last time online. */
export function OfflineBanner() {
  const since = useOfflineSince()
  if (!since) return null
  return (
    <p className="offline-banner" role="status">
      <Icon name="alert" />
      No connection. Showing {formatShopTime(since)}. Nothing is saved until it is back.
    </p>
  )
}
