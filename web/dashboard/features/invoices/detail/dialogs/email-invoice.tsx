import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import { emailInvoiceCommand } from '#contracts/invoices/linked-invoice.ts'
import { isEmailAddress } from '#domain/customers/email-address.ts'
import { messageInOutbox, useCanSendEmail } from '#web/dashboard/kit/records/use-onboarding.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { runCommand } from '#web/lib/data/run-command.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { CommandFailure } from '#web/dashboard/kit/corrections/command-dialog.tsx'

/**
 * Emails the invoice, with a link to its page, to a typed email address. The address in the customer's record does not
 * change.
 */
export function EmailInvoice({ invoice }: { invoice: ListedInvoice }) {
  const element = useRef<HTMLFormElement>(null)
  const [values, onChange] = useState({ email: invoice.customerEmail ?? '' })
  const form = useForm({ element, values, onChange, limits: { email: 254 } })
  const queries = useQueryClient()
  const canSendEmail = useCanSendEmail()
  const command = useMutation({
    mutationFn: (email: string) =>
      runCommand(emailInvoiceCommand, { invoiceId: invoice.id, email }),
    onSettled: () => refetchQueries(queries, 'invoices'),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const email = values.email.trim()
    if (command.isPending) return
    if (isEmailAddress(email)) command.mutate(email)
    else form.complain({ email: 'Please enter a valid email address.' })
  }
  const label = invoice.customerEmail === null ? 'Email (optional)' : 'Email'
  return (
    <form ref={element} className="hand-over-email" noValidate onSubmit={submit}>
      <Input
        {...form.field('email')}
        label={label}
        type="email"
        inputMode="email"
        autoComplete="off"
        placeholder="name@example.com"
      />
      <Button compact type="submit" busy={command.isPending && 'Sending…'}>
        Send
      </Button>
      <p role="status">
        {command.isSuccess &&
          (canSendEmail ? `The email is on its way to ${command.data.email}.` : messageInOutbox)}
      </p>
      <CommandFailure
        error={command.error}
        name={{ subject: 'The email', notDone: 'Nothing was sent.' }}
      />
    </form>
  )
}
