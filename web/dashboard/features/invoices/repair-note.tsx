import type { EstimateJob } from '#contracts/estimates/estimates.ts'
import { validInvoiceLines } from '#domain/invoices/invoice-lines.ts'
import { namesRepairWork } from '#domain/invoices/repair-words.ts'
import { useCreateEstimate } from '#web/dashboard/kit/records/use-create-estimate.ts'
import { randomUuid } from '#web/lib/random-uuid.ts'
import { Button } from '#web/ui/button/button.tsx'
import type { InvoiceForm } from './invoice-form.ts'

/**
 * The note that appears when a typed invoice line names repair work, for which the law requires an estimate. Its button
 * creates an estimate from the lines. Staff can ignore the note and create the invoice.
 */
export function RepairNote({ form, onMoved }: { form: InvoiceForm; onMoved: () => void }) {
  const creation = useCreateEstimate()
  const isRepair = form.lines.some(({ description }) => namesRepairWork(description))
  return (
    <p className="hint" role="status">
      {isRepair && (
        <>
          Repair work needs an approved estimate (16 CCR 3353).{' '}
          <Button
            compact
            level="quiet"
            disabled={creation.isPending}
            onClick={() => creation.mutate(estimateSource(form), { onSuccess: onMoved })}
          >
            Create estimate from these lines
          </Button>
        </>
      )}
    </p>
  )
}

function estimateSource(form: InvoiceForm) {
  const { name, email, phone } = form
  return {
    customer: { name: name.trim(), email: email.trim(), phone: phone.trim() },
    jobs: validInvoiceLines(form.lines).map(toJob),
  }
}

type InvoiceLine = ReturnType<typeof validInvoiceLines>[number]

/**
 * Turns an invoice line into a separate job, so that the customer can decide about the job. Staff then enter the kind
 * of the line and the hours in the estimate.
 */
function toJob({ description, amountCents, quantity }: InvoiceLine): EstimateJob {
  const isWork = namesRepairWork(description)
  return {
    key: randomUuid(),
    title: description.slice(0, 120),
    customerDescription: '',
    isNeeded: true,
    measurement: null,
    tearDown: null,
    lines: [
      {
        kind: isWork ? 'labor' : 'part',
        subtype: isWork ? '' : 'new',
        description: description.slice(0, 200),
        quantityThousandths: quantity * 1000,
        unitPriceCents: amountCents,
        isTaxable: !isWork,
      },
    ],
  }
}
