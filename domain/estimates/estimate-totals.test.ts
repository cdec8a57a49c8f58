import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addJobs,
  type CountedLine,
  formatThousandths,
  jobTotals,
  parseThousandths,
} from './estimate-totals.ts'

const taxRate = 91_250
const line = (change: Partial<CountedLine> = {}): CountedLine => ({
  kind: 'labor',
  subtype: '',
  quantityThousandths: 1000,
  unitPriceCents: 14_500,
  isTaxable: false,
  ...change,
})
const part = (unitPriceCents: number, quantityThousandths = 1000) =>
  line({ kind: 'part', subtype: 'new', unitPriceCents, quantityThousandths, isTaxable: true })
const percentOff = (percent: number) =>
  line({
    kind: 'discount',
    subtype: 'percent',
    quantityThousandths: percent * 1000,
    unitPriceCents: 0,
  })
const centsOff = (unitPriceCents: number, isTaxable = false) =>
  line({ kind: 'discount', subtype: 'amount', unitPriceCents, isTaxable })

describe('jobTotals', () => {
  it('multiplies hours by the hourly rate and rounds to the cent: 0.335 hours at $164.95', () => {
    expect(
      jobTotals([line({ quantityThousandths: 335, unitPriceCents: 16_495 })], taxRate).total,
    ).toBe(5526)
  })

  it('rounds half a cent up: $815.955 becomes $815.96', () => {
    // 0.15 hours at $5,439.70 an hour cost $815.955, half a cent above $815.95.
    expect(jobTotals([line({ quantityThousandths: 150, unitPriceCents: 543_970 })], 0).total).toBe(
      81_596,
    )
  })

  it('returns a total and a tax of 0 for a discount of 100 percent', () => {
    const totals = jobTotals([part(6422, 2250), percentOff(100)], taxRate)
    expect(totals).toMatchObject({ lines: [14_450, -14_450], discount: 14_450, tax: 0, total: 0 })
  })

  it('subtracts a discount on labor, and taxes only the parts', () => {
    const totals = jobTotals(
      [
        line({ quantityThousandths: 1200 }),
        part(6849),
        part(5450, 2000),
        line({ kind: 'fee', subtype: 'other', unitPriceCents: 400 }),
        centsOff(1500),
      ],
      taxRate,
    )
    expect(totals).toMatchObject({
      labor: 17_400,
      parts: 17_749,
      fees: 400,
      discount: 1500,
      tax: 1620,
      total: 35_669,
    })
  })

  it('lowers the tax by a discount that applies to taxed lines', () => {
    expect(jobTotals([part(10_000), centsOff(5000, true)], taxRate).tax).toBe(456)
    expect(jobTotals([part(10_000), centsOff(5000)], taxRate).tax).toBe(456)
    expect(jobTotals([line(), part(10_000), centsOff(5000)], taxRate).tax).toBe(913)
  })
})

const anyLine = fc.record({
  kind: fc.constantFrom('labor', 'part', 'fee', 'sublet'),
  subtype: fc.constant(''),
  quantityThousandths: fc.integer({ min: 0, max: 9_999_999 }),
  unitPriceCents: fc.integer({ min: 0, max: 99_999 }),
  isTaxable: fc.boolean(),
})
const anyJob = fc.array(anyLine, { maxLength: 12 })

describe('any estimate', () => {
  it('has totals that equal the sum of its jobs’ totals, for every selection of jobs', () => {
    fc.assert(
      fc.property(
        fc.array(anyJob, { maxLength: 6 }),
        fc.integer({ min: 0, max: 300_000 }),
        (jobs, rate) => {
          const counted = jobs.map((lines) => jobTotals(lines, rate))
          const chosen = counted.filter((_, index) => index % 2 === 0)
          const others = counted.filter((_, index) => index % 2 === 1)
          expect(addJobs(chosen).total + addJobs(others).total).toBe(addJobs(counted).total)
          const { labor, parts, fees, sublet, discount, tax, total } = addJobs(counted)
          expect(labor + parts + fees + sublet - discount + tax).toBe(total)
        },
      ),
    )
  })

  it('has the totals that exact decimal arithmetic computes', () => {
    fc.assert(
      fc.property(anyLine, fc.integer({ min: 0, max: 300_000 }), (only, rate) => {
        const exact =
          (2n * BigInt(only.quantityThousandths) * BigInt(only.unitPriceCents) + 1000n) / 2000n
        const taxed = only.isTaxable ? exact : 0n
        const tax = (2n * taxed * BigInt(rate) + 1_000_000n) / 2_000_000n
        expect(BigInt(jobTotals([only], rate).total)).toBe(exact + tax)
      }),
    )
  })
})

describe('parseThousandths and formatThousandths', () => {
  it.each([
    ['1.2', 1200],
    ['.335', 335],
    ['3', 3000],
    ['0.005', 5],
  ])('convert %s to thousandths and back to decimal text', (input, quantityThousandths) => {
    expect(parseThousandths(input)).toBe(quantityThousandths)
  })

  it.each(['', '.', '-1', '1.2345', '1,5', '1e3', 'two', '1234567'])('refuse %j', (input) => {
    expect(parseThousandths(input)).toBeUndefined()
  })

  it('convert every quantity to decimal text and back without change', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_999_999 }), (quantityThousandths) => {
        expect(parseThousandths(formatThousandths(quantityThousandths))).toBe(quantityThousandths)
      }),
    )
  })
})
