import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import type { EstimateDocument, EstimateJob, EstimateLine } from '#contracts/estimates/estimates.ts'

/** 1.2 hours at $145.00. */
export const laborLine: EstimateLine = {
  kind: 'labor',
  detail: '',
  description: 'Front pads and rotors',
  thousandths: 1200,
  unitCents: 14_500,
  isTaxable: false,
}

/** Two taxed rotors at $54.50. */
export const partLine: EstimateLine = {
  kind: 'part',
  detail: 'new',
  description: 'Brake rotor, front, 316 mm',
  thousandths: 2000,
  unitCents: 5450,
  isTaxable: true,
}

export const estimateJob = (change: Partial<EstimateJob> = {}): EstimateJob => ({
  key: randomUUID(),
  title: 'Front brakes',
  plainWords: 'The rotors have grooves. We replace both.',
  isNeeded: true,
  measure: null,
  lines: [laborLine, partLine],
  ...change,
})

/** An estimate that is valid until the end of Tuesday, December 8, 2026. */
export const estimateDocument = (
  jobs: readonly EstimateJob[] = [estimateJob()],
  change: Partial<EstimateDocument> = {},
): EstimateDocument => ({
  customer: { name: 'Maria Delgado', email: 'maria@example.com', phone: '(650) 555-0167' },
  vehicle: {
    year: '2019',
    make: 'Subaru',
    model: 'Outback',
    plate: '8KLM204',
    vin: '',
    odometerMiles: 71_506,
  },
  customerNote: '',
  internalNote: '',
  goodUntil: '2026-12-08',
  jobs: [...jobs],
  ...change,
})

const anyPrice = {
  description: fc.constant('Work'),
  thousandths: fc.integer({ min: 0, max: 9999 }),
  unitCents: fc.integer({ min: 0, max: 99_999 }),
  isTaxable: fc.boolean(),
}
const ofKind = <Kind extends EstimateLine['kind']>(kind: Kind, detail: string) => ({
  kind: fc.constant(kind),
  detail: fc.constant(detail),
})

/** Any line that the database accepts; a discount may exceed the total of its job. */
export const anyEstimateLine: fc.Arbitrary<EstimateLine> = fc.oneof(
  fc.record({ ...anyPrice, ...ofKind('labor', '') }),
  fc.record({ ...anyPrice, ...ofKind('part', 'used') }),
  fc.record({ ...anyPrice, ...ofKind('sublet', '') }),
  fc.record({ ...anyPrice, ...ofKind('discount', 'amount') }),
  fc.record({
    ...anyPrice,
    ...ofKind('discount', 'percent'),
    thousandths: fc.integer({ min: 0, max: 100_000 }),
    unitCents: fc.constant(0),
    isTaxable: fc.constant(false),
  }),
)
