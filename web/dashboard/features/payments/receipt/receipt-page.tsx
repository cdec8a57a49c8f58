import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { readReceipt } from './receipt-api.ts'
import { PrintableDeposit } from './printable-deposit.tsx'
import { PrintableReceipt } from './printable-receipt.tsx'
import type { PageSize } from './receipt-parts.tsx'
import './receipt.css'

const storageKey = 'admin_receipt_size'
const route = getRouteApi('/receipts/$id')

/**
 * The receipt of a payment, a deposit or a refund, for the 80 mm receipt printer at the counter or for letter paper.
 */
export function ReceiptPage() {
  const { id } = route.useParams()
  const { given } = route.useSearch()
  const [size, setSize] = useState<PageSize>(storedSize)
  const receipt = useQuery({
    queryKey: ['invoices', 'receipt', id],
    queryFn: () => readReceipt(id),
  })
  const choose = (next: PageSize) => {
    localStorage.setItem(storageKey, next)
    setSize(next)
  }
  return (
    <section className="receipt-page">
      <header>
        <h2 className="tab-heading">Receipt</h2>
        <div className="toggle-buttons" role="group" aria-label="Paper">
          <button type="button" aria-pressed={size === 'roll'} onClick={() => choose('roll')}>
            80 mm
          </button>
          <button type="button" aria-pressed={size === 'sheet'} onClick={() => choose('sheet')}>
            Letter
          </button>
        </div>
        <Button compact level="primary" disabled={!receipt.data} onClick={() => window.print()}>
          <Icon name="print" />
          Print
        </Button>
      </header>
      {receipt.isError && (
        <LoadFailure
          title="The receipt could not be loaded."
          onRetry={() => void receipt.refetch()}
        />
      )}
      {receipt.isPending && <Skeleton className="receipt-skeleton" />}
      {receipt.data === null && <p>This payment or refund no longer exists.</p>}
      {receipt.data &&
        ('estimate' in receipt.data ? (
          <PrintableDeposit size={size} receipt={receipt.data} givenCents={centsOf(given)} />
        ) : (
          <PrintableReceipt size={size} receipt={receipt.data} givenCents={centsOf(given)} />
        ))}
    </section>
  )
}

const storedSize = (): PageSize => (localStorage.getItem(storageKey) === 'sheet' ? 'sheet' : 'roll')

/**
 * Parses the cash that the customer gave. The payment panel passes this amount in the URL, because the ledger does not
 * contain the amount.
 */
function centsOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,8}$/.test(text) ? Number(text) : undefined
}
