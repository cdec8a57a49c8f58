import { describe, expect, it } from 'vitest'
import type { Authorization, SentRevision } from '#contracts/estimates/estimates.ts'
import { defaultShop } from '#domain/shop/default-shop.ts'
import {
  sampleSentJob,
  sampleSentRevision,
  sampleTearDown,
} from '#tests/support/estimates/sample-sent-revision.ts'
import {
  decisionTotal,
  initialDecision,
  readDecisionForm,
} from '#contracts/estimates/decision-form.ts'
import { renderCustomerPage } from '../render-customer-page.tsx'

const path = '/estimate/token'
const pageOf = (sentRevision: SentRevision) =>
  renderCustomerPage(defaultShop, { name: 'estimate', sentRevision, path }).main.replaceAll(
    '&#x27;',
    "'",
  )
const textOf = (page: string) => page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
const [brakes, filter, flush] = sampleSentRevision().jobs.map(({ key }) => key)

const approval = (change: Partial<Authorization>): Authorization => ({
  id: 1,
  batchId: 'one',
  revision: 1,
  revisionHash: 'a'.repeat(64),
  jobKey: brakes ?? '',
  jobTitle: 'Front brakes',
  decision: 'approved',
  amountCents: 35_669,
  runningTotalCents: 35_669,
  method: 'web',
  decidedByName: 'Maria Delgado',
  relationship: '',
  contact: '',
  statement: '',
  wantsPartsBack: false,
  decidedAt: '2026-11-24T23:42:00Z',
  recordedBy: 'customer',
  voidBecause: null,
  ...change,
})

describe('the page of an estimate that waits for a decision', () => {
  it('shows each job in plain words, with its price and its lines', () => {
    const text = textOf(pageOf(sampleSentRevision()))
    for (const phrase of [
      'Maria Delgado, 2019 Subaru Outback',
      'Your estimate is ready',
      'We found one thing your car needs now and two that can wait. You approve each job separately. Nothing starts before you approve.',
      'Needed now Front brakes $356.69',
      'Labor, 1.2 h $174.00 Brake pads, front, new $68.49 Brake rotors, 2, new $109.00',
      'Returning customer \u2212$15.00 Sales tax $16.20',
      'Can wait Cabin air filter $55.68',
      'Coolant flush $169.80',
      'Estimate E-0093, November 24, 2026, 3:18 PM. Good until December 8, 2026.',
      'Type your name to approve',
      'You approve up to this amount. We ask again before we go over it.',
      'Decline everything',
    ]) {
      expect(text).toContain(phrase)
    }
  })

  it('initially selects the jobs that are needed now, and shows their amount on the button', () => {
    const page = pageOf(sampleSentRevision())
    expect(page).toContain('Approve $356.69')
    expect(page).toContain('name="shown" value="35669"')
    expect(textOf(page)).toContain('1 of 3 jobs , tax included $356.69')
    expect(page).toContain(`name="revision" value="${'a'.repeat(64)}"`)
  })

  it('shows a measurement on a scale that starts at zero, and as text', () => {
    const page = pageOf(sampleSentRevision())
    expect(page).toContain('aria-label="Front brakes: 2 mm. The limit is 3, new is 11 mm."')
    expect(page).toContain('style="--tick:9.1%"')
    expect(page).toContain('<i style="--at:18.2%"></i><u style="--at:27.3%"></u>')
  })

  it('shows the terms of a tear-down before the decision', () => {
    const text = textOf(
      pageOf(sampleSentRevision({ jobs: [sampleSentJob({ tearDown: sampleTearDown })] })),
    )
    expect(text).toContain('Areas Transmission and torque converter')
    expect(text).toContain('Price of reassembly $145.00 before tax')
    expect(text).toContain('Parts normally destroyed Gaskets and seals')
    expect(text).toContain('May prevent reassembly Yes.')
  })

  it('shows the odometer reading, or states when the shop will read it', () => {
    const vehicle = { year: '2019', make: 'Subaru', model: 'Outback', odometerMiles: null }
    expect(textOf(pageOf(sampleSentRevision()))).toContain('Odometer: 71,506 mi')
    expect(textOf(pageOf(sampleSentRevision({ vehicle })))).toContain('Odometer: read at arrival')
    const towing = sampleSentRevision({ vehicle, kind: 'towing' })
    expect(textOf(pageOf(towing))).not.toContain('Odometer')
  })

  it('shows the third-party payer', () => {
    const payer = { name: 'Bay Mutual', reference: 'CLM-5531', approvedCents: 25_000 }
    const text = textOf(pageOf(sampleSentRevision({ payer: { ...payer, sentence: null } })))
    expect(text).toContain('Third-party payer Bay Mutual')
    expect(text).toContain('Claim or estimate number CLM-5531')
    expect(textOf(pageOf(sampleSentRevision()))).not.toContain('Third-party payer')
  })

  it('renders untrusted text without markup and without links', () => {
    const page = pageOf(sampleSentRevision({ customerName: '<b>Maria</b> win7.example' }))
    expect(page).toContain('&lt;b&gt;Maria')
    expect(page).not.toContain('win7.example')
  })

  it('shows the previously approved jobs of an estimate that adds work, and asks only about the new job', () => {
    const { jobs } = sampleSentRevision()
    const sentRevision = sampleSentRevision({
      revision: 2,
      authorizedCents: 35_669,
      jobs: [
        { ...sampleSentJob(jobs[0] ?? {}), decision: 'approved', authorizedCents: 35_669 },
        sampleSentJob({ key: flush ?? '', title: 'Slide pins' }),
      ],
      authorizations: [approval({})],
    })
    const text = textOf(pageOf(sentRevision))
    expect(text).toContain(
      'You approved $356.69 so far. One more job is waiting for your decision.',
    )
    expect(text).toContain('Front brakes already approved $356.69')
    expect(text).toContain('Approve $501.69')
    expect(pageOf(sentRevision)).not.toContain(`name="job-${brakes}"`)
  })

  it('shows the approved and the new price of a job whose price increased', () => {
    const sentRevision = sampleSentRevision({
      authorizedCents: 30_000,
      jobs: [sampleSentJob({ decision: 'approved', authorizedCents: 30_000, totalCents: 35_669 })],
    })
    expect(textOf(pageOf(sentRevision))).toContain(
      'You already approved $300.00. The price is new.',
    )
    expect(decisionTotal(sentRevision, { approved: new Set(brakes) })).toBe(30_000)
    expect(decisionTotal(sentRevision, { approved: new Set([brakes ?? '']) })).toBe(35_669)
  })
})

describe('the decision form of an estimate', () => {
  it('ignores submitted jobs that the estimate does not contain', () => {
    const form = new URLSearchParams({
      [`job-${filter}`]: 'approve',
      [`job-${brakes}`]: 'wait',
      'job-00000000-0000-4000-8000-00000000dead': 'approve',
      decidedBy: ' Maria ',
      'parts-back': 'yes',
    })
    const choice = readDecisionForm(sampleSentRevision(), form)
    expect(choice).toEqual({
      approved: new Set([filter]),
      decidedByName: 'Maria',
      wantsPartsBack: true,
    })
    expect(decisionTotal(sampleSentRevision(), choice)).toBe(5568)
  })

  it('initially selects no job that the customer declined before', () => {
    const sentRevision = sampleSentRevision({ jobs: [sampleSentJob({ decision: 'declined' })] })
    expect(initialDecision(sentRevision).approved.size).toBe(0)
    expect(pageOf(sentRevision)).toMatch(
      /data-approve="true" hidden[^]*data-decline="true">Decline<\/a/,
    )
  })
})

describe('the page of a decided estimate', () => {
  const sentRevision = sampleSentRevision({
    state: 'decided',
    authorizedCents: 35_669,
    jobs: sampleSentRevision().jobs.map((job, nth) =>
      Object.assign(
        job,
        nth === 0
          ? { decision: 'approved', authorizedCents: job.totalCents }
          : { decision: 'declined' },
      ),
    ),
    authorizations: [
      approval({ method: 'phone', recordedBy: 'Sam', wantsPartsBack: true }),
      approval({ id: 2, jobKey: filter ?? '', jobTitle: 'Cabin air filter', decision: 'declined' }),
    ],
  })

  it('shows the approved jobs, the customer, the method and the time, and has no form', () => {
    const page = pageOf(sentRevision)
    const text = textOf(page)
    expect(text).toContain('You approved 1 of 3 jobs')
    expect(text).toContain(
      'Front brakes Maria Delgado, by phone with Sam, November 24, 2026, 3:42 PM $356.69',
    )
    expect(text).toContain('Approved so far $356.69')
    expect(text).toContain('You want the replaced parts back.')
    expect(page).not.toMatch(/<form|<button|type="radio"/)
  })

  it('shows the customer’s next step instead of the form when the estimate has expired or is closed', () => {
    expect(textOf(pageOf(sampleSentRevision({ state: 'expired' })))).toMatch(
      /This estimate has expired It was good until Tuesday, December 8\. Call \(650\) 555-0142 and we'll send you a new one\./,
    )
    expect(pageOf({ ...sentRevision, state: 'closed' })).not.toContain('<form')
  })
})
