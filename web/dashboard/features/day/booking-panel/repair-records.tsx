import { Link } from '@tanstack/react-router'
import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'
import { RepairRecordList } from '#web/dashboard/kit/records/repair-record-list.tsx'
import { useRepairRecords } from '#web/dashboard/kit/records/repair-details.tsx'
import { estimateLink } from '#web/dashboard/kit/navigation/links.ts'
import { useCreateEstimate } from '#web/dashboard/kit/records/use-create-estimate.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Button, buttonClass } from '#web/ui/button/button.tsx'

/** A link to the estimate of a booking, or a button that creates one. */
export function EstimateButton({ bookingId, isBusy }: { bookingId: string; isBusy: boolean }) {
  const { data } = useRepairRecords({ kind: 'booking', id: bookingId })
  const creation = useCreateEstimate()
  if (!data) return null
  const estimate = data.find(({ kind }) => kind === 'estimate')
  if (estimate) {
    return (
      <Link className={buttonClass('secondary', { compact: true })} {...estimateLink(estimate.id)}>
        <Icon name="receipt" />
        <span>
          Estimate {estimate.label}, {estimate.state}
        </span>
      </Link>
    )
  }
  return (
    <Button
      compact
      disabled={isBusy || creation.isPending}
      onClick={() => creation.mutate({ bookingId })}
    >
      <Icon name="receipt" />
      Create estimate
    </Button>
  )
}

const DepositPart = lazyComponent(
  async () => (await import('./deposit-part.tsx')).DepositPart,
  null,
)

/** The deposits of the estimates of a booking. */
export function Deposits({ bookingId }: { bookingId: string }) {
  const { data = [] } = useRepairRecords({ kind: 'booking', id: bookingId })
  return data
    .filter(({ kind }) => kind === 'estimate')
    .map(({ id }) => <DepositPart key={id} estimateId={id} />)
}

/**
 * Lists the other records (such as estimates, tasks and invoices) of the repair to which the booking belongs. Renders
 * nothing without other records.
 */
export function RepairRecords({ bookingId }: { bookingId: string }) {
  const { data = [] } = useRepairRecords({ kind: 'booking', id: bookingId })
  const others = data.filter(({ kind, id }) => kind !== 'booking' || id !== bookingId)
  if (others.length === 0) return null
  return (
    <section className="panel-part">
      <h3>
        <Icon name="list" />
        Related records
      </h3>
      <RepairRecordList entries={others} />
    </section>
  )
}
