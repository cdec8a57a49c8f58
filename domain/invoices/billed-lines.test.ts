import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BilledJob, billedLines, formatBilledLine, spreadCents } from './billed-lines.ts'
import { jobTotals, type LineKind } from '#domain/estimates/estimate-totals.ts'

type Line = BilledJob['lines'][number]

const line = (kind: LineKind, change: Partial<Line> = {}): Line => ({
  kind,
  subtype: '',
  description: 'Front pads and discs',
  quantityThousandths: 1000,
  unitPriceCents: 14_500,
  isTaxable: kind === 'part',
  ...change,
})
const job = (...lines: Line[]): BilledJob => ({ title: 'Front brakes', lines })
const rate = 91_250

const anyLine: fc.Arbitrary<Line> = fc.record({
  kind: fc.constantFrom<LineKind>('labor', 'part', 'fee', 'sublet'),
  subtype: fc.constant(''),
  description: fc.constant('Part'),
  quantityThousandths: fc.integer({ min: 0, max: 20_000 }),
  unitPriceCents: fc.integer({ min: 0, max: 300_000 }),
  isTaxable: fc.boolean(),
})
const anyDiscount: fc.Arbitrary<Line> = fc
  .record({ percent: fc.boolean(), of: fc.integer({ min: 0, max: 100_000 }), tax: fc.boolean() })
  .map(({ percent, of, tax }) =>
    percent
      ? line('discount', { subtype: 'percent', quantityThousandths: of, unitPriceCents: 0 })
      : line('discount', { subtype: 'amount', unitPriceCents: of, isTaxable: tax }),
  )
const anyJob = fc
  .tuple(
    fc.array(anyLine, { minLength: 1, maxLength: 12 }),
    fc.array(anyDiscount, { maxLength: 2 }),
  )
  .map(([lines, discounts]) => job(...lines, ...discounts))
  .filter(({ lines }) => jobTotals(lines, 0).total >= 0)

describe('billedLines', () => {
  it('states the number of hours or pieces in the description of a line', () => {
    const text = [
      line('labor', { quantityThousandths: 1200 }),
      line('part', { quantityThousandths: 2000, unitPriceCents: 5450, description: 'Brake disc' }),
      line('fee', { description: 'Road test' }),
      line('discount', {
        subtype: 'percent',
        quantityThousandths: 10_000,
        description: 'Returning',
      }),
    ].map(formatBilledLine)
    expect(text).toEqual([
      'Front pads and discs, 1.2 h at $145.00',
      'Brake disc, 2 at $54.50',
      'Road test',
      'Returning, 10 % off',
    ])
  })

  it('divides the tax of a job among its taxable lines, and returns a discount as a negative line without tax', () => {
    const lines = billedLines(
      [
        job(
          line('labor', { quantityThousandths: 1200 }),
          line('part', { unitPriceCents: 6849, description: 'Pads' }),
          line('part', { quantityThousandths: 2000, unitPriceCents: 5450, description: 'Disc' }),
          line('fee', { unitPriceCents: 400, description: 'Road test' }),
          line('discount', { subtype: 'amount', unitPriceCents: 1500, description: 'Returning' }),
        ),
      ],
      rate,
    )
    expect(
      lines.map(({ cents, taxCents, taxableCents }) => [cents, taxCents, taxableCents]),
    ).toEqual([
      [17_400, 0, 0],
      [6849, 625, 6849],
      [10_900, 995, 10_900],
      [400, 0, 0],
      [-1500, 0, 0],
    ])
    expect(lines[0]?.description).toBe('Front brakes: Front pads and discs, 1.2 h at $145.00')
  })

  it('returns lines that add up to the total and the tax of the jobs, for any jobs', () => {
    fc.assert(
      fc.property(
        fc.array(anyJob, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 0, max: 300_000 }),
        (jobs, taxRate) => {
          const lines = billedLines(jobs, taxRate)
          const totals = jobs.map((each) => jobTotals(each.lines, taxRate))
          const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
          expect(sum(lines.map((each) => each.taxCents))).toBe(sum(totals.map(({ tax }) => tax)))
          expect(sum(lines.map((each) => each.cents + each.taxCents))).toBe(
            sum(totals.map(({ total }) => total)),
          )
          for (const { cents, taxCents, taxableCents } of lines) {
            expect(taxCents === 0 || taxableCents > 0 || taxCents === 1).toBe(true)
            expect(taxCents).toBeLessThanOrEqual(Math.max(0, cents))
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('bills each job as one line of the same amount when the jobs have more lines than Stripe allows', () => {
    const jobs = Array.from({ length: 40 }, () =>
      job(...Array.from({ length: 7 }, () => line('part', { unitPriceCents: 333 }))),
    )
    const lines = billedLines(jobs, rate)
    expect(lines).toHaveLength(40)
    expect(lines[0]).toEqual({
      description: 'Front brakes',
      cents: 2331,
      taxCents: 213,
      taxableCents: 2331,
    })
  })

  it('bills each job as one line when a single line exceeds the maximum amount of an invoice', () => {
    const lines = billedLines(
      [
        job(
          line('labor', { quantityThousandths: 9_999_999, unitPriceCents: 99_999_999 }),
          line('discount', { subtype: 'percent', quantityThousandths: 99_999, unitPriceCents: 0 }),
        ),
      ],
      rate,
    )
    expect(lines).toMatchObject([{ description: 'Front brakes', cents: 9_999_999 }])
  })
})

describe('spreadCents', () => {
  it('returns shares that add up exactly to the amount and differ from the exact proportion by at most a cent', () => {
    const weights = fc.array(fc.integer({ min: 0, max: 100_000_000 }), {
      minLength: 1,
      maxLength: 30,
    })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999 }), weights, (cents, parts) => {
        const shares = spreadCents(cents, parts)
        const whole = parts.reduce((sum, part) => sum + part, 0)
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(whole === 0 ? 0 : cents)
        for (const [index, share] of shares.entries()) {
          const part = parts[index] ?? 0
          if (part === 0) expect(share).toBe(0)
          else expect(Math.abs(share - (cents * part) / whole)).toBeLessThan(1)
        }
      }),
    )
  })
})
