import { describe, expect, it } from 'vitest'
import type { Authorization, SentRevision } from '#contracts/estimates/estimates.ts'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { sampleSentJob, sampleSentRevision } from '#tests/support/estimates/sample-sent-revision.ts'
import { initialDecision, readDecisionForm, decisionTotal } from './decision-form.ts'
import { renderEstimatePage } from './estimate-page.ts'

const path = '/estimate/token'
const pageOf = (sentRevision: SentRevision, rest = {}) =>
  renderEstimatePage({ shop: defaultShop, sentRevision, path, ...rest }).main.text.replaceAll(
    /\s+/g,
    ' ',
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

describe('an open estimate', () => {
  it('says each job in plain words, with what it costs and what is in that', () => {
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

  it('starts with what is needed now, and names that amount', () => {
    const page = pageOf(sampleSentRevision())
    expect(page).toContain('Approve $356.69')
    expect(page).toContain('name="shown" value="35669"')
    expect(textOf(page)).toContain('1 of 3 jobs , tax included $356.69')
    expect(page).toContain(`name="revision" value="${'a'.repeat(64)}"`)
  })

  it('shows what was measured on a scale that starts at zero, in words too', () => {
    const page = pageOf(sampleSentRevision())
    expect(page).toContain('aria-label="Front brakes: 2 mm. The limit is 3, new is 11 mm."')
    expect(page).toContain('style="--tick:9.1%"')
    expect(page).toContain('<i style="--at:18.2%"></i><u style="--at:27.3%"></u>')
  })

  it('makes nothing of what was typed: no markup, no link', () => {
    const page = pageOf(sampleSentRevision({ customerName: '<b>Maria</b> win7.example' }))
    expect(page).toContain('&lt;b&gt;Maria')
    expect(page).not.toContain('win7.example')
  })

  it('that adds work says what was approved before, and asks for the rest', () => {
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

  it('whose price rose says both prices', () => {
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

describe('what was posted', () => {
  it('is read as far as the estimate holds it', () => {
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

  it('starts with nothing that was declined before', () => {
    const sentRevision = sampleSentRevision({ jobs: [sampleSentJob({ decision: 'declined' })] })
    expect(initialDecision(sentRevision).approved.size).toBe(0)
    expect(pageOf(sentRevision)).toMatch(/data-approve hidden[^]*data-decline\s*>Decline<\/a/)
  })
})

describe('an answered estimate', () => {
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

  it('says what was approved, by whom, how and when, and asks nothing', () => {
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

  it('that has expired or is closed says so, and how to go on', () => {
    expect(textOf(pageOf(sampleSentRevision({ state: 'expired' })))).toMatch(
      /This estimate has expired It was good until Tuesday, December 8\. Call \(650\) 555-0142 and we'll send you a new one\./,
    )
    expect(pageOf({ ...sentRevision, state: 'closed' })).not.toContain('<form')
  })
})
