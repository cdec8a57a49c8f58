import { useEffect, useRef, type SubmitEvent } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Input } from '#web/ui/field.tsx'

/** Asks for the invoice's number. `suggested` fills the field unless something was typed already. */
export function InvoiceNumberForm(props: {
  suggested: string
  isLooking: boolean
  error: string | undefined
  onSubmit: (typedNumber: string) => void
}) {
  const { suggested, isLooking, error, onSubmit } = props
  const form = useRef<HTMLFormElement>(null)

  useEffect(() => {
    const input = fieldIn(form.current)
    if (input && input.value === '') input.value = suggested
  }, [suggested])

  useEffect(() => {
    if (error) fieldIn(form.current)?.focus()
  }, [error])

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSubmit(fieldIn(form.current)?.value ?? '')
  }
  return (
    // Until the page is awake a submit does nothing, rather than load the page again.
    <form className="card panel" ref={form} method="dialog" onSubmit={submit} noValidate>
      <Input
        label="Invoice Number"
        name="invoiceNumber"
        required
        placeholder="INV-2024-001"
        hint="You find the number at the top of your invoice document."
        error={error}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={200}
      />
      <Button type="submit" wide busy={isLooking && 'Processing...'}>
        Find Invoice
      </Button>
    </form>
  )
}

function fieldIn(form: HTMLFormElement | null): HTMLInputElement | null {
  return form?.elements.namedItem('invoiceNumber') as HTMLInputElement | null
}
