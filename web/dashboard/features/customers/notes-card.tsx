import { useState } from 'react'
import { formatInstantDate } from '#domain/calendar/shop-time.ts'
import type { CustomerRecord } from '#contracts/customers.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { Button } from '#web/ui/button/button.tsx'
import { TextArea } from '#web/ui/field/field.tsx'
import { addNote, removeNote } from '#web/dashboard/kit/customers/customers-api.ts'
import { useCustomerChange } from '#web/dashboard/kit/customers/use-customer-change.ts'
import { StaffName } from '#web/dashboard/kit/staff/staff-name.tsx'

/** Internal notes of the team about a customer. */
export function NotesCard({ customer }: { customer: CustomerRecord }) {
  const [input, setInput] = useState('')
  const adding = useCustomerChange((note: string) => addNote(customer.id, note))
  const removing = useCustomerChange(removeNote)
  const isOffline = useOfflineSince() !== undefined
  const add = async () => {
    if (await adding.run(input.trim())) setInput('')
  }
  return (
    <section className="card customer-card">
      <h3>Notes</h3>
      <ul className="customer-notes">
        {customer.notes.map(({ id, note, writtenBy, createdAt }) => (
          <li key={id}>
            {note}
            <small>
              <StaffName username={writtenBy} at={createdAt} />, {formatInstantDate(createdAt)}
              <Button
                compact
                level="quiet"
                disabled={removing.isBusy || isOffline}
                aria-label={`Remove the note “${note}”`}
                onClick={() => void removing.run(id)}
              >
                Remove
              </Button>
            </small>
          </li>
        ))}
      </ul>
      <TextArea
        label="Add a note"
        className="customer-new-note"
        placeholder="Add a note. Only the team sees it."
        rows={2}
        maxLength={1000}
        value={input}
        error={adding.failure}
        onChange={({ target }) => setInput(target.value)}
      />
      <Button
        compact
        busy={adding.isBusy && 'Saving…'}
        disabled={isOffline || input.trim() === ''}
        onClick={() => void add()}
      >
        Add note
      </Button>
    </section>
  )
}
