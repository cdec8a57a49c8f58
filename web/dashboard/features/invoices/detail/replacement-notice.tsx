import { Link } from '@tanstack/react-router'
import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { invoicePageLink } from '#web/dashboard/kit/navigation/links.ts'
import { Notice } from '#web/ui/notice/notice.tsx'

/**
 * Links to the replacement invoices: each bills again a sum whose payment on this invoice was reversed. On a
 * replacement invoice, links to the original invoice.
 */
export function ReplacementNotice({ invoice }: { invoice: InvoiceDetail }) {
  const { replacements, replaces, currency } = invoice
  if (replacements.length === 0 && replaces === null) return null
  return (
    <Notice
      title={replaces === null ? 'Part of this invoice is due on another invoice' : undefined}
    >
      {replaces !== null && (
        <p>
          This invoice replaces a sum of{' '}
          <Link {...invoicePageLink(replaces.invoiceId)}>
            {replaces.number ?? 'another invoice'}
          </Link>
          , which the payment provider counts as paid. The sales tax is on that invoice.
        </p>
      )}
      {replacements.map(({ invoiceId, number, amountCents }, index) => (
        // The list of replacements is append-only.
        // oxlint-disable-next-line react/no-array-index-key
        <p key={index}>
          <b>{formatCents(amountCents, currency)}</b>{' '}
          {invoiceId === null ? (
            'moves to a replacement invoice, which is being made.'
          ) : (
            <>
              is due on{' '}
              <Link {...invoicePageLink(invoiceId)}>{number ?? 'its replacement invoice'}</Link>.
            </>
          )}
        </p>
      ))}
    </Notice>
  )
}
