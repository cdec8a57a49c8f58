import { useId, useRef, useState } from 'react'
import * as z from 'zod/mini'
import type { CustomerRecord } from '#contracts/customers.ts'
import { bookingFieldLimits } from '#domain/bookings/booking-form.ts'
import { cleanLine } from '#domain/text/text-input.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { FormActions } from '#web/dashboard/kit/controls/form-actions.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { type Contact, saveCustomer } from '#web/dashboard/kit/customers/customers-api.ts'
import { SaveFailureNotice } from '#web/dashboard/kit/customers/save-failure.tsx'
import { useCustomerChange } from '#web/dashboard/kit/customers/use-customer-change.ts'

/** Edits the name and contact details of a customer. */
export function EditCustomerDialog({
  customer,
  onClose,
}: {
  customer: CustomerRecord
  onClose: () => void
}) {
  const element = useRef<HTMLFormElement>(null)
  const formId = useId()
  const [values, onChange] = useState<Contact>({
    name: customer.name,
    email: customer.email ?? '',
    phone: customer.phone ?? '',
  })
  const { name, email, phone } = bookingFieldLimits
  const form = useForm({ element, values, onChange, limits: { name, email, phone } })
  const isOffline = useOfflineSince() !== undefined
  // The version that the user was looking at. Saving over a newer version requires a confirmation.
  const [seen, setSeen] = useState(customer)
  const saving = useCustomerChange(
    ({ over, isShared }: { over: CustomerRecord; isShared: boolean }) =>
      saveCustomer(over, values, isShared),
  )
  const owner = ownerOfEmail(saving.error)

  async function save(over: CustomerRecord, isShared = false) {
    if (cleanLine(values.name) === '') return form.complain({ name: 'Please enter a name.' })
    form.accept()
    setSeen(over)
    if (await saving.run({ over, isShared })) onClose()
  }

  return (
    <Dialog
      open
      size="small"
      title={`Edit ${customer.name}`}
      busy={saving.isBusy}
      onClose={onClose}
      footer={
        <FormActions
          label="Save"
          busyLabel="Saving…"
          isBusy={saving.isBusy}
          disabled={isOffline}
          onCancel={onClose}
          form={formId}
        />
      }
    >
      <form
        id={formId}
        ref={element}
        className="customer-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void save(seen)
        }}
      >
        <Input {...form.field('name')} label="Name" required autoComplete="off" />
        <Input {...form.field('phone')} label="Phone" type="tel" autoComplete="off" />
        <Input {...form.field('email')} label="Email" type="email" autoComplete="off" />
        {owner ? (
          <Notice tone="bad" title={`${owner} has this address.`}>
            If this is the same customer, merge them.{' '}
            <button type="button" className="action" onClick={() => void save(seen, true)}>
              Use for both customers
            </button>
          </Notice>
        ) : (
          <SaveFailureNotice
            change={saving}
            now={[customer.name, customer.phone, customer.email].filter(Boolean).join(', ')}
            onSaveOver={() => void save(customer)}
          />
        )}
      </form>
    </Dialog>
  )
}

/** The name of the other customer who has the email address, if that is why saving was refused. */
function ownerOfEmail(error: Error | null): string | undefined {
  if (!(error instanceof DataError) || error.hint !== 'email_in_use') return undefined
  return z.object({ name: z.string() }).safeParse(JSON.parse(error.detail ?? 'null')).data?.name
}
