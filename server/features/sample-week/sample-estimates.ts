import { randomUUID } from 'node:crypto'
import type { EstimateJob, EstimateLine } from '#contracts/estimates/estimates.ts'

/**
 * A sample estimate, in the format of `internal.add_sample_estimate`, except that `booking` is the key of a sample
 * booking.
 */
export type SampleEstimate = {
  readonly booking: string
  readonly plate: string
  readonly odometerMiles: number
  readonly customerNote: string
  readonly jobs: readonly EstimateJob[]
  /**
   * The keys of the jobs that the customer approved. Empty if the customer declined all jobs; undefined if the customer
   * has not decided yet.
   */
  readonly approved?: readonly string[]
  /**
   * 'invoiced': an invoice is created for the approved estimate. 'draft', 'seen' or 'expired': the state of an estimate
   * on which the customer has not decided; 'sent' if this field is absent.
   */
  readonly state?: 'draft' | 'seen' | 'expired' | 'invoiced'
}

const laborRateCents = 14_500
const labor = (description: string, hours: number): EstimateLine => ({
  kind: 'labor',
  subtype: '',
  description,
  quantityThousandths: Math.round(hours * 1000),
  unitPriceCents: laborRateCents,
  isTaxable: false,
})
const part = (description: string, pieces: number, unitPriceCents: number): EstimateLine => ({
  kind: 'part',
  subtype: 'new',
  description,
  quantityThousandths: pieces * 1000,
  unitPriceCents,
  isTaxable: true,
})

const frontBrakes: EstimateJob = {
  key: randomUUID(),
  title: 'Front brakes',
  customerDescription:
    'The front brake pads are almost worn out and the rotors have grooves. We replace the pads and rotors, clean the slide pins and test the car on the road.',
  isNeeded: true,
  measurement: { value: 2, limit: 3, whenNew: 11, unit: 'mm' },
  tearDown: null,
  lines: [
    labor('Front pads and rotors', 1.4),
    part('Brake pads, front, ceramic', 1, 8450),
    part('Brake rotor, front', 2, 7925),
  ],
}
const cabinFilter: EstimateJob = {
  key: randomUUID(),
  title: 'Cabin air filter',
  customerDescription:
    'The cabin air filter is full of leaves, so the fan blows weakly. A new filter takes ten minutes while the car is here.',
  isNeeded: false,
  measurement: null,
  tearDown: null,
  lines: [labor('Cabin air filter', 0.2), part('Cabin air filter', 1, 2445)],
}
const coolantFlush: EstimateJob = {
  key: randomUUID(),
  title: 'Coolant flush',
  customerDescription:
    'The coolant is six years old and protects the engine less than it should. The flush can wait until spring.',
  isNeeded: false,
  measurement: null,
  tearDown: null,
  lines: [labor('Drain, flush, fill, bleed', 0.8), part('Coolant, gallon', 2, 2190)],
}
const ignitionCoils: EstimateJob = {
  key: randomUUID(),
  title: 'Three ignition coils',
  customerDescription:
    'One ignition coil misfires when the engine is cold, and the two next to it are as old. We replace all three coils and the spark plugs.',
  isNeeded: true,
  measurement: null,
  tearDown: null,
  lines: [
    labor('Coils and plugs', 1.1),
    part('Ignition coil', 3, 6290),
    part('Spark plug', 6, 1475),
  ],
}
const wiperBlades: EstimateJob = {
  key: randomUUID(),
  title: 'Wiper blades',
  customerDescription:
    'The wiper blades smear, and the rainy season is coming. New blades take five minutes.',
  isNeeded: false,
  measurement: null,
  tearDown: null,
  lines: [part('Wiper blades, pair', 1, 4180)],
}

/** Copies a job with a new key, so that the estimate of another customer can contain the same work. */
const forAnother = (job: EstimateJob): EstimateJob => ({ ...job, key: randomUUID() })
const secondFilter = forAnother(cabinFilter)
const secondBlades = forAnother(wiperBlades)
const secondBrakes = forAnother(frontBrakes)

export const sampleEstimates: readonly SampleEstimate[] = [
  {
    booking: 'xc60',
    plate: '7ABC123',
    odometerMiles: 64_210,
    customerNote: 'Please call us with any questions. The rotors can be here tomorrow morning.',
    jobs: [frontBrakes, cabinFilter, coolantFlush],
    approved: [frontBrakes.key, cabinFilter.key],
  },
  {
    booking: '328i',
    plate: '6XYZ987',
    odometerMiles: 121_480,
    customerNote:
      'The misfire moved to the other cylinder together with the coil, so we are sure that the coil is the cause.',
    jobs: [ignitionCoils, wiperBlades],
  },
  {
    booking: 'rav4',
    plate: '5KLM345',
    odometerMiles: 88_300,
    customerNote: '',
    jobs: [secondFilter, secondBlades],
    approved: [secondFilter.key, secondBlades.key],
  },
  {
    booking: 'f150',
    plate: '2VWX567',
    odometerMiles: 97_410,
    customerNote: '',
    jobs: [secondBrakes],
    approved: [secondBrakes.key],
    state: 'invoiced',
  },
  {
    booking: 'forester',
    plate: '9DEF210',
    odometerMiles: 40_120,
    customerNote: 'The work can wait until spring if you drive little.',
    jobs: [forAnother(coolantFlush)],
    approved: [],
  },
  {
    booking: 'golf',
    plate: '8GHJ456',
    odometerMiles: 51_975,
    customerNote: 'We have the parts in stock.',
    jobs: [forAnother(frontBrakes)],
    state: 'seen',
  },
  {
    booking: 'cx5',
    plate: '4NPR678',
    odometerMiles: 73_040,
    customerNote: '',
    jobs: [forAnother(wiperBlades)],
    state: 'draft',
  },
  {
    booking: 'civic',
    plate: '3STU901',
    odometerMiles: 102_660,
    customerNote: '',
    jobs: [forAnother(cabinFilter)],
    state: 'expired',
  },
]
