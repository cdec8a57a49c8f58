import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  estimateDocument,
  type EstimateDocument,
  lineSubtypes,
} from '#contracts/estimates/estimates.ts'
import { lineKinds } from '#domain/estimates/estimate-totals.ts'
import {
  addLine,
  changeLineKind,
  emptyJob,
  emptyLine,
  moveJobToTop,
  moveLine,
} from './edit-form.ts'
import { documentOf, formOfDocument, keepLineKeys } from './estimate-form.ts'
import { totalsOfForm } from './form-totals.ts'

const text = fc.constantFrom('', 'Front pads', 'Ölwechsel “5W‑30”')
const line = fc
  .record({
    kind: fc.constantFrom(...lineKinds),
    which: fc.nat(),
    description: text,
    quantityThousandths: fc.integer({ min: 0, max: 100_000 }),
    unitPriceCents: fc.integer({ min: 0, max: 99_999_999 }),
    isTaxable: fc.boolean(),
  })
  .map(({ which, kind, description, quantityThousandths, unitPriceCents, isTaxable }) => {
    const details = lineSubtypes[kind]
    const subtype = details[which % details.length] ?? ''
    const isPercent = subtype === 'percent'
    return {
      kind,
      description,
      quantityThousandths,
      subtype,
      unitPriceCents: isPercent ? 0 : unitPriceCents,
      isTaxable: isTaxable && !isPercent,
    }
  })
const measurement = fc.record({
  value: fc.constantFrom(0, 2, 2.5),
  limit: fc.constant(3),
  whenNew: fc.constant(11),
  unit: fc.constant('mm'),
})
const cents = fc.option(fc.integer({ min: 0, max: 99_999_999 }))
const tearDown = fc.record({
  areas: text,
  priceCents: cents,
  reassemblyPriceCents: cents,
  destroyedParts: text,
  reassemblyTime: text,
  mayPreventReassembly: fc.option(fc.boolean()),
})
const document: fc.Arbitrary<EstimateDocument> = fc.record({
  customer: fc.record({
    name: text,
    email: fc.constantFrom('', 'maria@customer.example'),
    phone: text,
  }),
  vehicle: fc.record({
    year: text,
    make: text,
    model: text,
    plate: text,
    vin: text,
    odometerMiles: fc.option(fc.integer({ min: 0, max: 2_000_000 })),
  }),
  payer: fc.record({ name: text, reference: text, approvedCents: cents }),
  customerNote: fc.constantFrom('', 'Two\nlines'),
  internalNote: text,
  goodUntil: fc.constant('2026-12-08'),
  jobs: fc.array(
    fc.record({
      key: fc.uuid(),
      title: text,
      customerDescription: text,
      isNeeded: fc.boolean(),
      measurement: fc.option(measurement),
      tearDown: fc.option(tearDown),
      lines: fc.array(line, { maxLength: 5 }),
    }),
    { maxLength: 4 },
  ),
})

describe('the form of an estimate', () => {
  it('is converted back to the same document when the user has changed nothing', () => {
    fc.assert(
      fc.property(document, (saved) => {
        const opened = documentOf(formOfDocument(saved))
        expect(opened.problems).toEqual([])
        expect(opened.document).toEqual(saved)
        expect(estimateDocument.safeParse(opened.document).success).toBe(true)
      }),
    )
  })

  it('keeps the React keys of the lines when the page loads the estimate again', () => {
    fc.assert(
      fc.property(document, (saved) => {
        const opened = formOfDocument(saved)
        const keys = (form: typeof opened) =>
          form.jobs.flatMap(({ lines }) => lines.map(({ key }) => key))
        const [first] = opened.jobs
        // In a real estimate, all job keys are different, so the test skips random estimates in which two jobs have the
        // same key.
        fc.pre(new Set(opened.jobs.map(({ key }) => key)).size === opened.jobs.length)
        expect(keys(keepLineKeys(formOfDocument(saved), opened))).toEqual(keys(opened))
        expect(first === undefined || keys(opened).length >= first.lines.length).toBe(true)
      }),
    )
  })

  const saved: EstimateDocument = {
    customer: { name: '', email: '', phone: '' },
    vehicle: { year: '', make: '', model: '', plate: '', vin: '', odometerMiles: null },
    payer: { name: '', reference: '', approvedCents: null },
    customerNote: '',
    internalNote: '',
    goodUntil: '2026-12-08',
    jobs: [],
  }

  it('omits empty lines and keeps incomplete ones', () => {
    const job = emptyJob('Front brakes', '145.00')
    const input = { ...emptyLine('part', '145.00'), description: 'Pads' }
    const form = addLine(job.key, input)({ ...formOfDocument(saved), jobs: [job] })
    const [savedJob] = documentOf(form).document.jobs
    expect(savedJob?.lines).toEqual([
      {
        kind: 'part',
        subtype: 'new',
        description: 'Pads',
        quantityThousandths: 1000,
        unitPriceCents: 0,
        isTaxable: true,
      },
    ])
  })

  it('lists invalid cells, and counts their values as 0', () => {
    const job = emptyJob('Front brakes', '815.955')
    const [first] = job.lines
    const form = {
      ...formOfDocument(saved),
      customer: { name: '', email: 'maria@', phone: '' },
      goodUntil: '',
      jobs: [
        {
          ...job,
          measurement: { value: 'two', limit: '3', whenNew: '11', unit: 'mm' },
          lines: first ? [{ ...first, description: 'Pads', quantity: '1' }] : [],
        },
      ],
    }
    expect(documentOf(form).problems).toEqual([
      'Enter a complete email address.',
      'Enter the last day on which the estimate is good.',
      'Enter numbers in “Measured”, “Limit” and “New”, for example 2, 3 and 11.',
      'Enter whole cents: 815.955 has a fraction of a cent.',
    ])
    expect(totalsOfForm(form, 91_250).all.total).toBe(0)
  })

  it('parses miles with or without a comma, and refuses other texts', () => {
    const miles = (input: string) => {
      const { vehicle } = formOfDocument(saved)
      const form = { ...formOfDocument(saved), vehicle: { ...vehicle, odometerMiles: input } }
      const { document: read, problems } = documentOf(form)
      return problems[0] ?? read.vehicle.odometerMiles
    }
    expect(miles('71,506')).toBe(71_506)
    expect(miles(' ')).toBeNull()
    for (const input of ['-1', '71.5', 'many', '2000001']) {
      expect(miles(input)).toBe('Enter the miles as a whole number, for example 71506.')
    }
  })

  it('moves lines and jobs, but not past the first or the last position', () => {
    const job = emptyJob('Front brakes', '')
    const second = emptyLine('part', '')
    const form = addLine(
      job.key,
      second,
    )({ ...formOfDocument(saved), jobs: [emptyJob('Coolant', ''), job] })
    const lines = (moved: typeof form) => moved.jobs[1]?.lines.map(({ kind }) => kind)
    expect(lines(moveLine(job.key, second.key, -1)(form))).toEqual(['part', 'labor'])
    expect(lines(moveLine(job.key, second.key, 1)(form))).toEqual(['labor', 'part'])
    expect(moveJobToTop(job.key)(form).jobs.map(({ title }) => title)).toEqual([
      'Front brakes',
      'Coolant',
    ])
  })

  it('keeps description and price when the kind of a line changes between part and fee', () => {
    const part = { ...emptyLine('part', '145.00'), subtype: 'used', each: '54.50' }
    const fee = changeLineKind({ ...part, description: 'Pads' }, 'fee', '145.00')
    expect(fee).toMatchObject({ subtype: 'other', isTaxable: false, each: '54.50' })
    expect(changeLineKind(fee, 'part', '145.00')).toMatchObject({
      subtype: 'new',
      isTaxable: true,
      description: 'Pads',
    })
  })

  it('clears hours and rate when a labor line becomes a part, and the price when a part becomes labor', () => {
    const labor = { ...emptyLine('labor', '145.00'), description: 'Pads', quantity: '1.2' }
    const part = changeLineKind(labor, 'part', '145.00')
    expect(part).toMatchObject({ key: labor.key, description: 'Pads', quantity: '1', each: '' })
    expect(changeLineKind({ ...part, each: '54.50' }, 'labor', '145.00')).toMatchObject({
      description: 'Pads',
      quantity: '',
      each: '145.00',
    })
  })
})
