import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import { Badge, type BadgeTone } from '#web/ui/badge/badge.tsx'

const badges: Readonly<Record<ListedInvoice['state'], { tone: BadgeTone; text: string }>> = {
  open: { tone: 'info', text: 'open' },
  part_paid: { tone: 'violet', text: 'part paid' },
  paid: { tone: 'ok', text: 'paid' },
  part_refunded: { tone: 'neutral', text: 'part refunded' },
  refunded: { tone: 'neutral', text: 'refunded' },
  replaced: { tone: 'ring', text: 'replaced' },
  cancelled: { tone: 'ring', text: 'cancelled' },
  written_off: { tone: 'neutral', text: 'written off' },
  void: { tone: 'ring', text: 'void' },
}

/** The badge of an invoice's state in the shop's ledger. */
export function InvoiceStateBadge({ state }: { state: ListedInvoice['state'] }) {
  const { tone, text } = badges[state]
  return <Badge tone={tone}>{text}</Badge>
}

/** Marks an invoice of the payment sandbox, for which no money moved. */
export function TestBadge() {
  return <Badge tone="warn">test</Badge>
}
