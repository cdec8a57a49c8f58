import type { EstimateLine, SentRevision, TearDown } from '#contracts/estimates/estimates.ts'
import { jobTotals } from '#domain/estimates/estimate-totals.ts'

const line = (change: Partial<EstimateLine>): EstimateLine => ({
  kind: 'part',
  subtype: 'new',
  description: '',
  quantityThousandths: 1000,
  unitPriceCents: 0,
  isTaxable: true,
  ...change,
})
const labor = (quantityThousandths: number): EstimateLine =>
  line({
    kind: 'labor',
    subtype: '',
    description: 'Labor',
    quantityThousandths,
    unitPriceCents: 14_500,
    isTaxable: false,
  })

const taxRate = 91_250

/** The terms of a tear-down for $290.00, with a reassembly for $145.00 if the customer declines the repair. */
export const sampleTearDown: TearDown = {
  areas: 'Transmission and torque converter',
  priceCents: 29_000,
  reassemblyPriceCents: 14_500,
  destroyedParts: 'Gaskets and seals',
  reassemblyTime: '5 business days',
  mayPreventReassembly: true,
}

/** Returns a sample job with its amounts. */
export function sampleSentJob(
  change: Partial<SentRevision['jobs'][number]>,
): SentRevision['jobs'][number] {
  const lines = change.lines ?? [labor(1000)]
  const { total, tax } = jobTotals(lines, taxRate)
  return {
    key: '00000000-0000-4000-8000-00000000000a',
    title: 'Front brakes',
    customerDescription: '',
    isNeeded: true,
    measurement: null,
    tearDown: null,
    lines,
    totalCents: total,
    taxCents: tax,
    decision: null,
    authorizedCents: 0,
    isSameWork: true,
    ...change,
  }
}

/** Maria's estimate: one job that is necessary now, two jobs that can be done later. */
export function sampleSentRevision(change: Partial<SentRevision> = {}): SentRevision {
  return {
    estimateId: '00000000-0000-4000-8000-000000000093',
    bookingId: null,
    number: 'E-0093',
    kind: 'repair',
    revision: 1,
    revisionHash: 'a'.repeat(64),
    state: 'open',
    customerName: 'Maria Delgado',
    customerEmail: 'maria.delgado@example.com',
    linkVersion: 1,
    vehicle: { year: '2019', make: 'Subaru', model: 'Outback', odometerMiles: 71_506 },
    payer: null,
    customerNote: '',
    goodUntil: '2026-12-08',
    sentAt: '2026-11-24T23:18:00Z',
    taxRate,
    jobs: [
      sampleSentJob({
        customerDescription:
          'The front pads are almost gone and the rotors have grooves. That is the grinding you hear. We replace both, clean the sliders and road-test the car.',
        measurement: { value: 2, limit: 3, whenNew: 11, unit: 'mm' },
        tearDown: null,
        lines: [
          labor(1200),
          line({ description: 'Brake pads, front', unitPriceCents: 6849 }),
          line({ description: 'Brake rotors', quantityThousandths: 2000, unitPriceCents: 5450 }),
          line({
            kind: 'fee',
            subtype: 'other',
            description: 'Road test, before and after',
            unitPriceCents: 400,
            isTaxable: false,
          }),
          line({
            kind: 'discount',
            subtype: 'amount',
            description: 'Returning customer',
            unitPriceCents: 1500,
            isTaxable: false,
          }),
        ],
      }),
      sampleSentJob({
        key: '00000000-0000-4000-8000-00000000000b',
        title: 'Cabin air filter',
        customerDescription:
          'Full of leaves, so the fan blows weakly. A new one takes ten minutes.',
        isNeeded: false,
        lines: [labor(200), line({ description: 'Cabin air filter', unitPriceCents: 2445 })],
      }),
      sampleSentJob({
        key: '00000000-0000-4000-8000-00000000000c',
        title: 'Coolant flush',
        customerDescription: 'The coolant is six years old. We can do it at your next visit.',
        isNeeded: false,
        lines: [
          labor(800),
          line({ description: 'Coolant', quantityThousandths: 2000, unitPriceCents: 2190 }),
          line({
            kind: 'fee',
            subtype: 'other',
            description: 'Disposal fee',
            unitPriceCents: 600,
            isTaxable: false,
          }),
        ],
      }),
    ],
    authorizedCents: 0,
    authorizations: [],
    ...change,
  }
}
