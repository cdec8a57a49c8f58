import fc from 'fast-check'
import type { EstimateJob, EstimateLine } from '#contracts/estimates/estimates.ts'
import { jobTotals } from '#domain/estimates/estimate-totals.ts'
import { estimateJob } from './estimates.ts'

const conditions = ['new', 'used', 'rebuilt', 'reconditioned', 'oem'] as const

const detailOf = (kind: EstimateLine['kind'], index: number) =>
  kind === 'part' ? (conditions[index % conditions.length] ?? 'new') : kind === 'fee' ? 'other' : ''

const soldLine: fc.Arbitrary<EstimateLine> = fc
  .record({
    kind: fc.constantFrom('labor' as const, 'part' as const, 'fee' as const, 'sublet' as const),
    condition: fc.nat(4),
    quantityThousandths: fc.integer({ min: 1, max: 20_000 }),
    unitPriceCents: fc.integer({ min: 1, max: 60_000 }),
    isTaxable: fc.boolean(),
  })
  .map(({ condition, ...line }) =>
    Object.assign(line, { subtype: detailOf(line.kind, condition), description: 'Łukasz’s 5W‑30' }),
  )

const discountLine: fc.Arbitrary<EstimateLine> = fc
  .record({
    isShare: fc.boolean(),
    amount: fc.integer({ min: 0, max: 50_000 }),
    isTaxable: fc.boolean(),
  })
  .map(({ isShare, amount, isTaxable }) => ({
    kind: 'discount',
    subtype: isShare ? 'percent' : 'amount',
    description: 'Returning customer',
    quantityThousandths: isShare ? amount : 1000,
    unitPriceCents: isShare ? 0 : amount,
    isTaxable: !isShare && isTaxable,
  }))

const anyJob: fc.Arbitrary<EstimateJob> = fc
  .tuple(
    fc.array(soldLine, { minLength: 1, maxLength: 6 }),
    fc.array(discountLine, { maxLength: 1 }),
  )
  .map(([sold, off]) => sold.concat(off))
  .filter((lines) => jobTotals(lines, 0).total >= 0)
  .map((lines) => estimateJob({ lines }))

/** Any valid list of jobs, each with its own key, with a total above zero. */
export const anyJobs: fc.Arbitrary<EstimateJob[]> = fc
  .array(anyJob, { minLength: 1, maxLength: 4 })
  .filter((jobs) => jobs.some(({ lines }) => jobTotals(lines, 0).total > 0))
