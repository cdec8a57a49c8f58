import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Authorization } from '#contracts/estimates/estimates.ts'
import { addJobs, jobTotals } from '#domain/estimates/estimate-totals.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { anyJobs } from '#tests/support/estimates/any-estimate.ts'
import { estimateJob, laborLine, partLine } from '#tests/support/estimates/estimates.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import type { PrintableEstimate } from '../document/read-printable.ts'
import { renderEstimatePdf } from './render-estimate-pdf.ts'

const shop = {
  ...defaultShop,
  registrationNumber: 'ARD 00123456',
  epaNumber: 'CAL000123456',
  conditions: 'Warranty: 12 months.\nStorage: $40.00 a day.',
}

const approval: Authorization = {
  id: 1,
  batchId: 'a',
  revision: 1,
  revisionHash: '',
  jobKey: '',
  jobTitle: 'Front brakes',
  decision: 'approved',
  amountCents: 29_295,
  runningTotalCents: 29_295,
  method: 'phone',
  decidedByName: 'Maria Delgado',
  relationship: 'wife',
  contact: '+1 650 555 0167',
  statement: 'Go ahead.',
  wantsPartsBack: true,
  decidedAt: '2026-11-25T01:05:00Z',
  recordedBy: 'sam',
  voidBecause: null,
}

function createPrintable(change: Partial<PrintableEstimate['work']> = {}): PrintableEstimate {
  return {
    kind: 'repair',
    number: 'E-0101',
    revision: 1,
    isFrozen: true,
    customer: { name: 'Łukasz Żółć', email: 'maria@example.com', phone: '(650) 555-0167' },
    payer: null,
    customerNote: 'Call me with any question.',
    date: '2026-11-24',
    goodUntil: '2026-12-08',
    work: {
      vehicle: {
        year: '2019',
        make: 'Subaru',
        model: 'Outback',
        plate: '8KLM204',
        odometerMiles: 71_506,
      },
      taxRate: 91_250,
      jobs: [{ ...estimateJob(), decision: null }],
      authorizations: [],
      tearDownDeclines: [],
      ...change,
    },
  }
}
const read = async (estimate: PrintableEstimate) => readPdf(await renderEstimatePdf(shop, estimate))
const squeezed = (text: string) => text.replaceAll(/\s+/g, '')
const sumsIn = (text: string) => text.match(/-?\$[\d,]+\.\d\d/g) ?? []

describe('the PDF of an estimate', () => {
  it('for a towed vehicle is titled as a towing estimate and has no odometer line', async () => {
    const { work, ...printable } = createPrintable()
    const vehicle = { ...work.vehicle, odometerMiles: null }
    const towing = { ...printable, kind: 'towing', work: { ...work, vehicle } } as const
    const { text } = await read(towing)
    expect(text).toContain('Towing estimate')
    expect(text).not.toContain('Odometer')
    expect((await read({ ...towing, kind: 'repair' })).text).toContain('Odometer: read at arrival')
  })

  it('names the third-party payer with the approved amount, or with a note about the payment if no amount is approved', async () => {
    const payer = { name: 'Bay Mutual', reference: 'CLM-5531', approvedCents: 25_000 }
    const known = await read({ ...createPrintable(), payer: { ...payer, sentence: null } })
    expect(known.text).toContain('Third-party payer: Bay Mutual')
    expect(known.text).toContain('Claim or estimate number: CLM-5531')
    expect(known.text).toContain('Amount the payer approved: $250.00')
    const unknown = await read({
      ...createPrintable(),
      payer: { ...payer, approvedCents: null, sentence: 'Ask your insurer.' },
    })
    expect(unknown.text).toContain('Third-party payment: Ask your insurer.')
    expect(unknown.text).not.toContain('Amount the payer approved')
    expect((await read(createPrintable())).text).not.toContain('payer')
  })

  it('contains the details that the law requires, and the last valid day', async () => {
    const { text } = await read(createPrintable())
    for (const phrase of [
      'Estimate',
      'E-0101',
      defaultShop.legalName,
      'Automotive Repair Dealer ARD 00123456',
      'EPA ID CAL000123456',
      'Łukasz Żółć',
      'November 24, 2026',
      'Good until',
      'December 8, 2026',
      '2019 Subaru Outback',
      '8KLM204',
      '71,506 mi',
      'Front brakes',
      'The rotors have grooves.',
      'Labor: Front pads and rotors',
      '1.2 h',
      'Part, new: Brake rotor, front, 316 mm',
      'Sales tax, 9.125%',
      'Labor and services',
      'Total$292.95',
      'You approve up to this amount. We ask again before we go over it.',
      'Call me with any question.',
      'Storage: $40.00 a day.',
    ]) {
      expect(squeezed(text)).toContain(squeezed(phrase))
    }
  })

  it('states for each approval the customer, the channel, the time, the jobs and the amount', async () => {
    const jobs = [{ ...estimateJob(), decision: 'approved' as const }]
    const { text } = await read(createPrintable({ jobs, authorizations: [approval] }))
    expect(squeezed(text)).toContain(
      squeezed(
        `Maria Delgado (wife), by phone with sam, November 24, 2026, 5:05 PM, +1 650 555 0167: approved Front brakes,
        $292.95. “Go ahead.” The customer asked for the replaced parts. Authorized total: $292.95.`,
      ),
    )
    expect(squeezed(text)).toContain('Required,approved')
    expect(text).not.toContain('You approve up to')
  })

  it('is a tagged PDF; the PDF of a draft is marked as a draft', async () => {
    const { pages, isTagged, language } = await read({
      ...createPrintable(),
      isFrozen: false,
      revision: 2,
    })
    expect(isTagged).toBe(true)
    expect(language.Title).toBe('Estimate E-0101')
    expect(pages[0]?.roles).toEqual(expect.arrayContaining(['H1', 'H2', 'Table', 'TH', 'TD']))
    expect(pages[0]?.text).toContain('Draft')
    expect(squeezed(pages[0]?.text ?? '')).toContain('revision2')
  })

  it('continues forty jobs with long words over several pages without losing a job', async () => {
    const jobs = Array.from({ length: 40 }, (_, index) => ({
      ...estimateJob({
        title: `Job ${index + 1} ${'Ω'.repeat(60)}`,
        customerDescription: 'Synthetic 5W‑30 motor oil. '.repeat(30),
        lines: [laborLine, { ...partLine, description: 'Ω'.repeat(200) }],
      }),
      decision: null,
    }))
    const { pages, text } = await read(createPrintable({ jobs }))
    expect(pages.length).toBeGreaterThan(10)
    for (const { right } of pages) expect(right).toBeLessThan(560)
    for (let index = 1; index <= 40; index += 1) expect(text).toContain(`Job ${index} `)
    expect(squeezed(text)).toContain(squeezed('Total of 40 jobs $11,718.00'))
  })

  it('contains every amount that the domain code computes, in order, for randomly generated jobs', async () => {
    const property = fc.asyncProperty(
      anyJobs,
      fc.integer({ min: 0, max: 300_000 }),
      async (drawn, taxRate) => {
        const totals = drawn.map(({ lines }) => jobTotals(lines, taxRate))
        const all = addJobs(totals)
        const jobs = drawn.map((job) => Object.assign(job, { decision: null }))
        const { text } = await read(createPrintable({ jobs, taxRate }))
        const amounts = [
          ...drawn.flatMap(({ lines }, index) => {
            const job = totals[index]
            if (!job) throw new Error('Each job has its totals.')
            return [
              job.total,
              ...lines.flatMap(({ subtype, kind, unitPriceCents }, position) =>
                subtype === 'percent'
                  ? [job.lines[position] ?? 0]
                  : [
                      kind === 'discount' ? 0 - unitPriceCents : unitPriceCents,
                      job.lines[position] ?? 0,
                    ],
              ),
              ...(job.tax === 0 ? [] : [job.tax]),
            ]
          }),
          all.labor + all.sublet,
          all.parts,
          ...(all.fees === 0 ? [] : [all.fees]),
          ...(all.discount === 0 ? [] : [-all.discount]),
          all.tax,
          all.total,
        ]
        const shown = amounts.map((cents) => formatCents(cents))
        expect(sumsIn(text).slice(0, shown.length)).toEqual(shown)
      },
    )
    await fc.assert(property, { numRuns: 40 })
  })
})
