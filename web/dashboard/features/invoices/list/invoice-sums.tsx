import { formatCents } from '#domain/money/format-cents.ts'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import type { InvoiceList } from './list-api.ts'

/** The four sums above the list: the amounts that customers owe, and the amount that the shop received today. */
export function InvoiceSums({ list }: { list: InvoiceList | undefined }) {
  if (!list) return <LoadingSums />
  const { counts, received } = list
  return (
    <dl className="invoice-sums">
      <Sum
        name="Open now"
        cents={counts.openCents}
        text={counts.open === 0 ? 'no invoices' : counted(counts.open, 'invoice')}
      />
      <Sum
        name="Past due"
        cents={counts.pastDueCents}
        text={counts.pastDue > 0 && counted(counts.pastDue, 'invoice')}
      />
      <Sum
        name="Part paid"
        cents={counts.partPaidCents}
        text={counts.partPaid > 0 && `on ${counted(counts.partPaid, 'invoice')}`}
      />
      <Sum name="Received today" cents={received.receivedCents} text={receivedText(received)} />
    </dl>
  )
}

function Sum({ name, cents, text }: { name: string; cents: number; text: string | false }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {formatCents(cents)} {text && <small>{text}</small>}
      </dd>
    </div>
  )
}

function LoadingSums() {
  return (
    <div className="invoice-sums" aria-hidden="true">
      {['open', 'past due', 'part paid', 'received'].map((name) => (
        <div key={name}>
          <Skeleton className="invoice-sum-skeleton" />
        </div>
      ))}
    </div>
  )
}

function receivedText({ payments, refunds }: InvoiceList['received']): string | false {
  const parts = [
    ...(payments > 0 ? [counted(payments, 'payment')] : []),
    ...(refunds > 0 ? [counted(refunds, 'refund')] : []),
  ]
  return parts.length > 0 && parts.join(', ')
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
