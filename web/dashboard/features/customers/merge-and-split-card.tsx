import { useIsOwner } from '#web/dashboard/kit/staff/staff-role.tsx'
import { useState } from 'react'
import type { CustomerRecord } from '#contracts/customers.ts'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { CustomerSearch } from '#web/dashboard/kit/customers/customer-search.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { SplitBookingDialog } from './split-booking-dialog.tsx'

/** Lets staff merge duplicates that share no contact details, and split a record that mixes two customers. */
export function MergeAndSplitCard({ customer }: { customer: CustomerRecord }) {
  const [isSearching, setIsSearching] = useState(false)
  const [isSplitting, setIsSplitting] = useState(false)
  const [otherId, setOtherId] = useState<string>()
  const isOwner = useIsOwner()
  if (!isOwner && !canBeSplit(customer)) return null
  return (
    <section className="card customer-card">
      <h3>{isOwner ? 'Merge or split' : 'Split'}</h3>
      {isOwner && (
        <Button compact onClick={() => setIsSearching(true)}>
          Merge with another customer…
        </Button>
      )}
      {canBeSplit(customer) && (
        <Button compact level="quiet" onClick={() => setIsSplitting(true)}>
          Move an appointment to another customer…
        </Button>
      )}
      {isSplitting && (
        <SplitBookingDialog customer={customer} onClose={() => setIsSplitting(false)} />
      )}
      {isSearching && (
        <Dialog
          open
          size="small"
          title="Merge with another customer…"
          onClose={() => setIsSearching(false)}
        >
          <CustomerSearch
            label={`Duplicate of ${customer.name}`}
            exceptId={customer.id}
            onChoose={({ id }) => {
              setIsSearching(false)
              setOtherId(id)
            }}
          />
        </Dialog>
      )}
      {otherId !== undefined && (
        <MergeDialog customer={customer} otherId={otherId} onClose={() => setOtherId(undefined)} />
      )}
    </section>
  )
}

/**
 * Whether staff can move an appointment to a new customer: the current customer must have at least one other record.
 */
const canBeSplit = ({ bookings, quotes, estimates, invoices }: CustomerRecord) =>
  bookings.length > 0 && bookings.length + quotes.length + estimates.length + invoices.length > 1
