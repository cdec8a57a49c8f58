import { useState } from 'react'
import type { CustomerRecord } from '#contracts/customers.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { BusyLabel, Button } from '#web/ui/button/button.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { StepUpDialog } from '#web/dashboard/kit/step-up/step-up-dialog.tsx'
import { EraseDialog } from './erase-dialog.tsx'
import { formatCounts } from '#web/dashboard/kit/customers/customer-text.ts'
import { useExport } from './use-export.ts'

/** Lists the stored data of a customer, and lets staff export or erase the data. */
export function PrivacyCard({
  customer,
  onErased,
}: {
  customer: CustomerRecord
  onErased: () => void
}) {
  const [isErasing, setIsErasing] = useState(false)
  const exporting = useExport(customer.id)
  const isOffline = useOfflineSince() !== undefined
  return (
    <section className="card customer-card">
      <h3>
        <Icon name="lock" />
        Customer data
      </h3>
      <p className="muted">Stored: {storedText(customer)}.</p>
      <Button compact disabled={exporting.isBusy || isOffline} onClick={exporting.run}>
        <Icon name="download" />
        <BusyLabel busy={exporting.isBusy && 'Packing…'}>Export</BusyLabel>
      </Button>
      {exporting.failure && <p role="alert">{exporting.failure}</p>}
      {exporting.confirmation && (
        <StepUpDialog action={`export the data of ${customer.name}`} {...exporting.confirmation} />
      )}
      <Button compact level="danger" onClick={() => setIsErasing(true)}>
        Erase customer data…
      </Button>
      {isErasing && (
        <EraseDialog customer={customer} onClose={() => setIsErasing(false)} onErased={onErased} />
      )}
    </section>
  )
}

/**
 * Lists how many records of each kind the shop stores about the customer: '2 vehicles, 8 appointments, 3 estimates, 6
 * invoices, 31 emails, 2 notes'.
 */
function storedText(customer: CustomerRecord): string {
  const { vehicles, bookings, quotes, estimates, invoices, notes, totals } = customer
  const counts = formatCounts(
    [vehicles.length, 'vehicle'],
    [bookings.length, 'appointment'],
    [quotes.length, 'quote request'],
    [estimates.length, 'estimate'],
    [invoices.length, 'invoice'],
    [totals.emails, 'email'],
    [notes.length, 'note'],
  )
  return counts || 'contact details'
}
