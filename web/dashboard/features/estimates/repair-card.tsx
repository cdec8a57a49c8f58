import type { Estimate } from '#contracts/estimates/estimates.ts'
import { RepairRecordList } from '#web/dashboard/kit/records/repair-record-list.tsx'

/**
 * The card that lists the other records (such as appointments, tasks and invoices) of the repair to which the estimate
 * belongs.
 */
export function RepairCard({ estimate }: { estimate: Estimate }) {
  const others = estimate.repairRecords.filter(
    ({ kind, id }) => kind !== 'estimate' || id !== estimate.id,
  )
  if (others.length === 0) return null
  return (
    <section className="card rail-card">
      <h3>Related records</h3>
      <RepairRecordList entries={others} />
    </section>
  )
}
