import { useQueryClient } from '@tanstack/react-query'
import type { Estimate } from '#contracts/estimates/estimates.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { PrivateLink } from '#web/dashboard/kit/controls/private-link.tsx'
import { readEstimateLink } from '../estimates-api.ts'

/** Copies or renews the link to the page on which the customer reads a sent estimate. */
export function EstimateLink({ estimate }: { estimate: Estimate }) {
  const queries = useQueryClient()
  const isOffline = useOfflineSince() !== undefined
  if (!estimate.customerPath) return null
  const both = estimate.bookingId !== null
  return (
    <section className="card rail-card" aria-label="Customer’s link">
      <h3>
        <Icon name="lock" />
        Customer’s link
      </h3>
      <PrivateLink
        readPath={async (renew) => {
          const path = await readEstimateLink(estimate.id, renew)
          if (renew) void refetchQueries(queries, 'estimates')
          return path
        }}
        question={`Older links to this estimate${both ? ' and to its appointment' : ''} stop working. The new link is copied.`}
        copiedText="Link copied. Anyone with this link can answer the estimate."
        isOffline={isOffline}
      />
    </section>
  )
}
