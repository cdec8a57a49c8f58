import type { ReactNode } from 'react'
import { formatCents } from '#domain/money/format-cents.ts'
import { formatLaborHours, formatTaxRate, formatSignedCents } from '../estimate-text.ts'
import type { EstimateForm } from '../form/estimate-form.ts'
import { totalsOfForm } from '../form/form-totals.ts'

/** The card with the total of the estimate and the subtotals of which it consists. */
export function TotalsCard(props: {
  form: EstimateForm
  taxRate: number
  /**
   * The lines below the total: the price that the website shows for the booked service, and a notice with a button that
   * applies today's tax rate.
   */
  children?: ReactNode
}) {
  const { form, taxRate, children } = props
  const { all, needed, laborThousandths } = totalsOfForm(form, taxRate)
  const lines = [
    [`Labor, ${formatLaborHours(laborThousandths)}`, all.labor],
    ['Parts', all.parts],
    ['Fees', all.fees],
    ['Sublet', all.sublet],
    ['Discount', -all.discount],
  ] as const
  return (
    <section className="card rail-card">
      <h3>Total</h3>
      <dl className="totals">
        {lines
          .filter(([, cents]) => cents !== 0)
          .map(([name, cents]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{formatSignedCents(cents)}</dd>
            </div>
          ))}
        <div>
          <dt>
            {isOnPartsAlone(form) ? 'Sales tax on parts' : 'Sales tax'}, {formatTaxRate(taxRate)}
            <small>Tax is rounded per job.</small>
          </dt>
          <dd>{formatCents(all.tax)}</dd>
        </div>
        <div className="totals-sum">
          <dt>{allJobs(form.jobs.length)}</dt>
          <dd>{formatCents(all.total)}</dd>
        </div>
      </dl>
      {children}
      <p className="totals-needed">
        Required only <b>{formatCents(needed)}</b>
      </p>
    </section>
  )
}

function isOnPartsAlone({ jobs }: EstimateForm): boolean {
  return jobs.every(({ lines }) =>
    lines.every(({ kind, isTaxable }) => kind === 'part' || !isTaxable),
  )
}

/** The label of the total with the number of jobs: 'All 3 jobs'. */
export function allJobs(count: number): string {
  if (count < 2) return count === 1 ? 'One job' : 'No job yet'
  return `All ${count} jobs`
}
