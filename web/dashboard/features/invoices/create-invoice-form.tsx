import { type FormEvent, useRef, useState } from 'react'
import type { InvoicePrefill } from '#contracts/invoices/invoice-prefill.ts'
import type { CreateInvoiceResponse } from '#contracts/invoices/invoices.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { type Form, useForm } from '#web/lib/forms/use-form.ts'
import { FieldError, Input } from '#web/ui/field/field.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { CreatedInvoice } from './created-invoice.tsx'
import {
  checkInvoiceForm,
  emptyInvoiceForm,
  invoiceFieldLimits,
  type InvoiceForm,
  totalCents,
} from './invoice-form.ts'
import { LineItems } from './line-items.tsx'
import { RepairNote } from './repair-note.tsx'
import { useCreateInvoice } from './use-create-invoice.ts'

/** The values of the unsaved form, kept while the user looks at another tab of the dashboard. */
let draft: InvoiceForm | undefined

/**
 * The form for a new invoice: customer, line items and terms. After the server created the invoice, the form becomes
 * empty, and a box above the form shows the created invoice.
 */
export function CreateInvoiceForm({ prefill }: { prefill?: InvoicePrefill | undefined }) {
  const [input, setInput] = useState(() =>
    prefill ? emptyInvoiceForm(prefill) : (draft ?? emptyInvoiceForm()),
  )
  const [created, setCreated] = useState<CreateInvoiceResponse>()
  const element = useRef<HTMLFormElement>(null)
  const form = useForm({
    element,
    values: input,
    onChange: (change) => {
      draft = change(input)
      setInput(draft)
    },
    limits: invoiceFieldLimits,
  })
  const clear = () => {
    draft = undefined
    setInput(emptyInvoiceForm())
  }
  const creation = useCreateInvoice((result) => {
    setCreated(result)
    clear()
  })
  const create = (isForPrint: boolean) => {
    if (creation.isPending) return
    const checked = checkInvoiceForm(input, isForPrint)
    if (!checked.ok) return form.refuse(checked.refusal)
    form.accept()
    creation.mutate(checked.value)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create(false)
  }
  return (
    <form className="card" ref={element} onSubmit={submit} noValidate>
      <h2>Create &amp; Send Invoice</h2>
      {created && <CreatedInvoice created={created} onDismiss={() => setCreated(undefined)} />}
      <CustomerFields form={form} />
      {input.email.trim() === '' && (
        <p className="invoice-for-print">
          No email address?{' '}
          <Button compact level="quiet" onClick={() => create(true)}>
            Create for print
          </Button>
        </p>
      )}
      <LineItems lines={input.lines} onChange={(lines) => form.change({ lines })} />
      <RepairNote form={input} onMoved={clear} />
      {form.errors.lines && <FieldError>{form.errors.lines}</FieldError>}
      <div className="invoice-total">
        <span>Total</span>
        <b>{formatCents(totalCents(input))}</b>
      </div>
      <TermFields form={form} sendsEmail={input.sendEmail} />
      <Button
        type="submit"
        compact
        level="primary"
        className="invoice-submit"
        disabled={creation.isPending}
      >
        {creation.isPending ? 'Creating…' : 'Create Invoice'}
      </Button>
    </form>
  )
}

function CustomerFields({ form: { field } }: { form: Form<InvoiceForm> }) {
  return (
    <div className="three-columns">
      <Input {...field('name')} label="Customer Name" />
      <Input {...field('email')} type="email" label="Customer Email" required />
      <Input {...field('phone')} type="tel" label="Customer Phone" />
    </div>
  )
}

function TermFields(props: { form: Form<InvoiceForm>; sendsEmail: boolean }) {
  const { field, change } = props.form
  return (
    <>
      <div className="three-columns invoice-terms">
        <Input {...field('memo')} label="Memo (optional)" />
        <Input {...field('dueDays')} label="Due In (days)" inputMode="numeric" />
      </div>
      <label className="checkbox">
        <input
          type="checkbox"
          checked={props.sendsEmail}
          onChange={(event) => change({ sendEmail: event.target.checked })}
        />
        Send via the card payment provider&apos;s email
      </label>
    </>
  )
}
