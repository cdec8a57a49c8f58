import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import type { EstimateLine } from '#contracts/estimates/estimates.ts'
import { formatThousandths, type LineKind } from '#domain/estimates/estimate-totals.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import type { BilledJob } from './billed-jobs.ts'
import { signedCents } from './detail-text.ts'
import { useBilledJobs } from './use-invoice.ts'

type Props = { invoice: InvoiceDetail; pdfUrl: string | undefined }

/**
 * The billed jobs with their lines. Only Stripe stores the lines of an invoice without an estimate, so only Stripe's
 * PDF of the invoice shows these lines.
 */
export function BilledLines({ invoice, pdfUrl }: Props) {
  const billed = useBilledJobs(invoice)
  if (billed && billed.jobs.length > 0) {
    return billed.jobs.map((billedJob) => (
      <BilledJobCard key={billedJob.job.key} billed={billedJob} taxRate={billed.taxRate} />
    ))
  }
  if (!pdfUrl) return null
  return (
    <p className="card invoice-lines-elsewhere">
      Its lines are in the{' '}
      <a className="touch-link" href={pdfUrl} target="_blank" rel="noreferrer">
        PDF of this invoice
      </a>
      .
    </p>
  )
}

const kindLabels: Readonly<Record<LineKind, string>> = {
  labor: 'Labor',
  part: 'Part',
  fee: 'Fee',
  sublet: 'Sublet',
  discount: 'Discount',
}

function BilledJobCard({ billed, taxRate }: { billed: BilledJob; taxRate: number }) {
  const { totals } = billed
  const { title, lines } = billed.job
  return (
    <section className="card invoice-job" aria-label={title}>
      <header>
        <h3>{title}</h3>
        <b>{formatCents(totals.total)}</b>
      </header>
      <table>
        <tbody>
          {lines.map((line, index) => (
            // The lines of a billed job never change their order.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={index}>
              <td className="invoice-job-kind">{kindLabels[line.kind]}</td>
              <td className="invoice-job-what">{line.description}</td>
              <td className="invoice-job-count">
                {formatThousandths(line.quantityThousandths) +
                  (line.subtype === 'percent' ? '%' : '')}
              </td>
              <td className="invoice-job-count">{eachText(line)}</td>
              <td className="invoice-job-amount">{signedCents(totals.lines[index] ?? 0)}</td>
            </tr>
          ))}
          {totals.tax > 0 && (
            <tr>
              <td className="invoice-job-kind">Tax</td>
              <td className="invoice-job-what" colSpan={3}>
                Sales tax, {String(taxRate / 10_000)}%
              </td>
              <td className="invoice-job-amount">{formatCents(totals.tax)}</td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  )
}

function eachText({ kind, subtype, unitPriceCents }: EstimateLine): string {
  if (subtype === 'percent') return ''
  return signedCents(kind === 'discount' ? -unitPriceCents : unitPriceCents)
}
