import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { formatCents } from '#domain/money/format-cents.ts'
import { logQuietly } from '#web/lib/data/log-quietly.ts'
import { previewRefund } from '../detail-api.ts'
import type { Refund } from './use-refund.ts'

/**
 * Shows, before staff submit the refund, how the database divides the refund between the jobs or lines of the invoice
 * and the sales tax.
 */
export function RefundShares({ refund, currency }: { refund: Refund; currency: string }) {
  const { payment, cents, values } = refund
  const isShown = payment !== undefined && cents !== undefined && values.scope !== 'parts'
  const preview = useQuery({
    queryKey: ['invoices', 'refund-preview', payment?.id, cents],
    queryFn: () => previewRefund(payment?.id ?? '', cents ?? 0),
    // Do not refetch the preview while the refund is saved: the live event about this refund would otherwise request a
    // preview for a sum that is no longer refundable.
    enabled: isShown && !refund.command.isBusy,
  })
  useEffect(() => {
    if (preview.error) logQuietly('The preview of a refund could not be loaded', preview.error)
  }, [preview.error])
  if (!isShown || !preview.data) return null
  const { parts, taxCents } = preview.data
  if (parts.length < 2 && taxCents === 0) return null
  return (
    <dl className="refund-shares" aria-live="polite">
      {parts.length > 1 &&
        parts.map(({ title, amountCents }, index) => (
          // The jobs or lines keep the order of the invoice, and two of them may have the same title.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index}>
            <dt>{title}</dt>
            <dd>{formatCents(amountCents, currency)}</dd>
          </div>
        ))}
      {taxCents > 0 && (
        <div>
          <dt>Sales tax in it</dt>
          <dd>{formatCents(taxCents, currency)}</dd>
        </div>
      )}
    </dl>
  )
}
