import { type FormEvent, useRef, useState } from 'react'
import type { InvoicePrefill } from '#contracts/invoice-prefill.ts'
import type { CreateInvoiceResponse } from '#contracts/invoices.ts'
import { formatCents } from '#domain/money.ts'
import { FieldError, Input } from '#web/ui/field.tsx'
import { toast } from '#web/ui/toast.ts'
import { CreatedInvoice } from './created-invoice.tsx'
import {
  checkInvoiceForm,
  emptyInvoiceForm,
  type InvoiceForm,
  type InvoiceRefusal,
  totalCents,
} from './invoice-form.ts'
import { LineItems } from './line-items.tsx'
import { useCreateInvoice } from './use-create-invoice.ts'

/** What was typed, kept while the admin looks at another tab. */
let draft: InvoiceForm | undefined

/** Customer, lines and terms; after success the form is empty again and the result stands above it. */
export function CreateInvoiceForm({ prefill }: { prefill?: InvoicePrefill | undefined }) {
  const [form, setForm] = useState(() =>
    prefill ? emptyInvoiceForm(prefill) : (draft ?? emptyInvoiceForm()),
  )
  const [refusal, setRefusal] = useState<InvoiceRefusal>()
  const [created, setCreated] = useState<CreateInvoiceResponse>()
  const element = useRef<HTMLFormElement>(null)
  const change = (changes: Partial<InvoiceForm>) => {
    draft = { ...form, ...changes }
    setForm(draft)
  }
  const creation = useCreateInvoice((result) => {
    draft = undefined
    setCreated(result)
    setForm(emptyInvoiceForm())
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (creation.isPending) return
    const checked = checkInvoiceForm(form)
    if (checked.ok) {
      setRefusal(undefined)
      creation.mutate(checked.value)
      return
    }
    const { title, message, field } = checked.refusal
    setRefusal(checked.refusal)
    toast({ title, description: message, variant: 'destructive' })
    const badInput = field === 'email' ? 'input[type=email]' : '.lines input'
    element.current?.querySelector<HTMLInputElement>(badInput)?.focus()
  }
  return (
    <form className="card" ref={element} onSubmit={submit} noValidate>
      <h2>Create &amp; Send Invoice</h2>
      {created && <CreatedInvoice created={created} onDismiss={() => setCreated(undefined)} />}
      <CustomerFields
        form={form}
        onChange={change}
        emailError={refusal?.field === 'email' ? refusal.message : undefined}
      />
      <LineItems lines={form.lines} onChange={(lines) => change({ lines })} />
      {refusal?.field === 'lines' && <FieldError>{refusal.message}</FieldError>}
      <div className="totalrow">
        <span>Total</span>
        <b>{formatCents(totalCents(form))}</b>
      </div>
      <TermFields form={form} onChange={change} />
      <button type="submit" className="ab go submit" disabled={creation.isPending}>
        {creation.isPending ? 'Creating…' : 'Create Invoice'}
      </button>
    </form>
  )
}

type FieldsProps = { form: InvoiceForm; onChange: (changes: Partial<InvoiceForm>) => void }

function CustomerFields(props: FieldsProps & { emailError: string | undefined }) {
  const { form, onChange, emailError } = props
  return (
    <div className="g3">
      <Input
        label="Customer Name"
        maxLength={200}
        value={form.name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <Input
        label="Customer Email"
        type="email"
        required
        maxLength={254}
        value={form.email}
        onChange={(event) => onChange({ email: event.target.value })}
        error={emailError}
      />
      <Input
        label="Customer Phone"
        type="tel"
        maxLength={20}
        value={form.phone}
        onChange={(event) => onChange({ phone: event.target.value })}
      />
    </div>
  )
}

function TermFields({ form, onChange }: FieldsProps) {
  return (
    <>
      <div className="g3 terms">
        <Input
          label="Memo (optional)"
          maxLength={500}
          value={form.memo}
          onChange={(event) => onChange({ memo: event.target.value })}
        />
        <Input
          label="Due In (days)"
          inputMode="numeric"
          maxLength={4}
          value={form.dueDays}
          onChange={(event) => onChange({ dueDays: event.target.value })}
        />
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={form.sendEmail}
          onChange={(event) => onChange({ sendEmail: event.target.checked })}
        />
        Send via the card payment provider&apos;s e-mail
      </label>
    </>
  )
}
