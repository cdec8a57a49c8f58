import { useRef } from 'react'
import * as z from 'zod/mini'
import type { CustomerRecord } from '#contracts/customers.ts'
import { bookingFieldLimits } from '#domain/bookings/booking-form.ts'
import { cleanLine } from '#domain/text/text-input.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { FormDialog } from '#web/dashboard/kit/controls/form-dialog.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import {
  type Contact,
  readCustomer,
  saveCustomer,
} from '#web/dashboard/kit/customers/customers-api.ts'
import { SaveFailureNotice } from '#web/dashboard/kit/customers/save-failure.tsx'
import { useCustomerForm } from '#web/dashboard/kit/customers/use-customer-form.ts'
import { Button } from '#web/ui/button/button.tsx'

/** Edits the name and contact details of a customer. */
export function EditCustomerDialog({
  customer,
  onClose,
}: {
  customer: CustomerRecord
  onClose: () => void
}) {
  const element = useRef<HTMLFormElement>(null)
  const { name, email, phone } = bookingFieldLimits
  const isShared = useRef(false)
  const { form, isSaving, save, error, conflict } = useCustomerForm<Contact>({
    saved: contactOf(customer),
    write: (contact, version) =>
      saveCustomer({ id: customer.id, version }, contact, isShared.current),
    read: async () => contactOf(await readCustomer(customer.id)),
    element,
    limits: { name, email, phone },
    check: (contact) => (cleanLine(contact.name) === '' ? { name: 'Please enter a name.' } : {}),
    label: (field) => labels[field],
    onClose,
  })
  const isOffline = useOfflineSince() !== undefined
  const owner = ownerOfEmail(error)

  function saveEmailForBoth() {
    isShared.current = true
    save()
  }

  return (
    <FormDialog
      title={`Edit ${customer.name}`}
      label="Save"
      busyLabel="Saving…"
      isBusy={isSaving}
      disabled={isOffline}
      element={element}
      className="customer-form"
      onSubmit={() => {
        isShared.current = false
        save()
      }}
      onClose={onClose}
    >
      <Input {...form.field('name')} label="Name" required autoComplete="off" />
      <Input {...form.field('phone')} label="Phone" type="tel" autoComplete="off" />
      <Input {...form.field('email')} label="Email" type="email" autoComplete="off" />
      {owner ? (
        <Notice tone="bad" title={`${owner} has this address.`}>
          If this is the same customer, merge them.{' '}
          <Button compact onClick={saveEmailForBoth}>
            Use the email for both customers
          </Button>
        </Notice>
      ) : (
        <SaveFailureNotice
          error={error}
          conflict={conflict}
          now={[customer.name, customer.phone, customer.email].filter(Boolean).join(', ')}
        />
      )}
    </FormDialog>
  )
}

const labels = { name: 'Name', phone: 'Phone', email: 'Email' } as const

const contactOf = ({ name, email, phone, version }: CustomerRecord) => ({
  form: { name, email: email ?? '', phone: phone ?? '' },
  version,
})

/** The name of the other customer who has the typed email address, if the server refused the save for that reason. */
function ownerOfEmail(error: unknown): string | undefined {
  if (!(error instanceof DataError) || error.hint !== 'email_in_use') return undefined
  return z.object({ name: z.string() }).safeParse(JSON.parse(error.detail ?? 'null')).data?.name
}
