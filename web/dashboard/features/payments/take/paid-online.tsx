import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import type { CounterMethod } from '#contracts/payments/counter-commands.ts'
import type { LedgerLine } from '#contracts/payments/ledger-line.ts'
import { formatShopTime } from '#domain/calendar/shop-time.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { Button } from '#web/ui/button/button.tsx'
import { SidePanel } from '#web/ui/dialog/dialog.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { BigSum, PanelTitle } from './panel-parts.tsx'
import type { PaymentOrder } from './use-taking.ts'

type Props = {
  invoice: ListedInvoice
  lines: readonly LedgerLine[] | undefined
  order: PaymentOrder
  onClose: () => void
}

const words: Readonly<Record<CounterMethod, { payment: string; give: string; gave: string }>> = {
  cash: { payment: 'cash payment', give: 'Give back', gave: 'I gave back' },
  card_terminal: {
    payment: 'terminal payment',
    give: 'Refund on the terminal',
    gave: 'I refunded',
  },
  check: { payment: 'check', give: 'Give back the check of', gave: 'I gave back the check of' },
  other: { payment: 'payment', give: 'Give back', gave: 'I gave back' },
}

/**
 * The result 'Already paid online': the customer paid the invoice online in the meantime, so the server recorded no
 * payment at the counter. The text asks staff to give the money back in full.
 */
export function PaidOnline({ invoice, lines, order, onClose }: Props) {
  const { payment, give, gave } = words[order.method]
  const cents = order.givenCents ?? order.amountCents
  return (
    <SidePanel
      open
      onClose={onClose}
      title={<PanelTitle text="Already paid online" invoice={invoice} />}
      footer={
        <div className="pay-foot">
          <Button compact large level="strong" data-first-focus onClick={onClose}>
            {gave} {formatCents(cents)}
          </Button>
        </div>
      }
    >
      <Notice tone="bad" title={paidTitle(invoice, lines)}>
        Your {payment} was <b>not</b> recorded.
      </Notice>
      <BigSum name={give} cents={cents} />
      {invoice.balanceCents === 0 && (
        <div className="pay-result">
          <h3>Paid in full, card online.</h3>
        </div>
      )}
    </SidePanel>
  )
}

function paidTitle({ customerName }: ListedInvoice, lines: Props['lines']): string {
  const who = customerName || 'The customer'
  const line = lines?.findLast(({ kind, method }) => kind === 'payment' && method === 'card_online')
  if (!line) return `${who} has just paid online`
  const at = formatShopTime(new Date(line.paid_at))
  return `${who} paid ${formatCents(line.amount_cents, line.currency)} online at ${at}`
}
