import { useEffect, useRef, type SubmitEvent } from 'react'
import { useShop } from '#web/lib/shop.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Input } from '#web/ui/field/field.tsx'
import type { LookupInput } from './find-invoice.ts'
import type { LookupState } from './use-invoice-lookup.ts'

/** The form that finds an invoice. `suggested` fills in the invoice number unless the visitor has typed one. */
export function InvoiceNumberForm(props: {
  suggested: string
  isLooking: boolean
  errors: LookupState['fieldErrors']
  onSubmit: (input: LookupInput) => void
}) {
  const { suggested, isLooking, errors, onSubmit } = props
  const form = useRef<HTMLFormElement>(null)
  // The shop may have begun to require the customer's email address after this page was loaded; after the server's
  // refusal, the form shows the field for this address.
  const requiresEmail = useShop().rules.requiresInvoiceEmail || errors.customerEmail !== undefined

  useEffect(() => {
    const input = fieldIn(form.current, 'invoiceNumber')
    if (input && input.value === '') input.value = suggested
  }, [suggested])

  useEffect(() => {
    const wrong = errors.invoiceNumber ? 'invoiceNumber' : errors.customerEmail && 'customerEmail'
    if (wrong) fieldIn(form.current, wrong)?.focus()
  }, [errors])

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const read = (name: keyof LookupInput) => fieldIn(form.current, name)?.value ?? ''
    onSubmit({
      invoiceNumber: read('invoiceNumber'),
      ...(requiresEmail && { customerEmail: read('customerEmail') }),
    })
  }
  return (
    // Until React hydrates the page, `method="dialog"` prevents a submit from reloading it.
    <form className="card panel" ref={form} method="dialog" onSubmit={submit} noValidate>
      <Input
        label="Invoice Number"
        name="invoiceNumber"
        required
        placeholder="INV-2024-001"
        hint="You find the number at the top of your invoice document."
        error={errors.invoiceNumber}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={200}
      />
      {requiresEmail && <EmailInput error={errors.customerEmail} />}
      <Button type="submit" wide busy={isLooking && 'Processing...'}>
        Find Invoice
      </Button>
    </form>
  )
}

function EmailInput({ error }: { error: string | undefined }) {
  return (
    <Input
      label="Email Address"
      name="customerEmail"
      type="email"
      required
      hint="The address that the invoice was sent to."
      error={error}
      autoComplete="email"
      maxLength={254}
    />
  )
}

function fieldIn(form: HTMLFormElement | null, name: keyof LookupInput): HTMLInputElement | null {
  return form?.elements.namedItem(name) as HTMLInputElement | null
}
