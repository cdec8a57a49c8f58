import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import type {
  EstimateDocument,
  EstimateJob,
  EstimateLine,
  TearDown,
} from '#contracts/estimates/estimates.ts'
import { sampleTearDown } from './sample-sent-revision.ts'

/** Labor of 1.2 hours at $145.00 an hour. */
export const laborLine: EstimateLine = {
  kind: 'labor',
  subtype: '',
  description: 'Front pads and rotors',
  quantityThousandths: 1200,
  unitPriceCents: 14_500,
  isTaxable: false,
}

/** Two taxed rotors at $54.50 each. */
export const partLine: EstimateLine = {
  kind: 'part',
  subtype: 'new',
  description: 'Brake rotor, front, 316 mm',
  quantityThousandths: 2000,
  unitPriceCents: 5450,
  isTaxable: true,
}

export const estimateJob = (change: Partial<EstimateJob> = {}): EstimateJob => ({
  key: randomUUID(),
  title: 'Front brakes',
  customerDescription: 'The rotors have grooves. We replace both.',
  isNeeded: true,
  measurement: null,
  tearDown: null,
  lines: [laborLine, partLine],
  ...change,
})

/** Returns a tear-down job for $290.00, with a reassembly for $145.00 if the customer declines the repair. */
export const tearDownJob = (change: Partial<TearDown> = {}): EstimateJob =>
  estimateJob({
    title: 'Transmission tear-down',
    lines: [
      { ...laborLine, description: 'Tear-down', quantityThousandths: 2000 },
      { ...laborLine, description: 'Reassembly', quantityThousandths: 1000 },
    ],
    tearDown: { ...sampleTearDown, ...change },
  })

/** Returns an estimate that is valid until the end of Tuesday, December 8, 2026. */
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
  payer: { name: '', reference: '', approvedCents: null },
  customerNote: '',
  internalNote: '',
  goodUntil: '2026-12-08',
  jobs: [...jobs],
  ...change,
})

const anyPrice = {
  description: fc.constant('Work'),
  quantityThousandths: fc.integer({ min: 0, max: 9999 }),
  unitPriceCents: fc.integer({ min: 0, max: 99_999 }),
  isTaxable: fc.boolean(),
}
const ofKind = <Kind extends EstimateLine['kind']>(kind: Kind, subtype: string) => ({
  kind: fc.constant(kind),
  subtype: fc.constant(subtype),
})

/** Any line that the database accepts. A discount may be higher than the total of its job. */
export const anyEstimateLine: fc.Arbitrary<EstimateLine> = fc.oneof(
  fc.record({ ...anyPrice, ...ofKind('labor', '') }),
  fc.record({ ...anyPrice, ...ofKind('part', 'used') }),
  fc.record({ ...anyPrice, ...ofKind('sublet', '') }),
  fc.record({ ...anyPrice, ...ofKind('discount', 'amount') }),
  fc.record({
    ...anyPrice,
    ...ofKind('discount', 'percent'),
    quantityThousandths: fc.integer({ min: 0, max: 100_000 }),
    unitPriceCents: fc.constant(0),
    isTaxable: fc.constant(false),
  }),
)
