import { afterEach, describe, expect, it, vi } from 'vitest'
import { type CustomerPage, messagePageNames } from '#contracts/api/customer-pages.ts'
import type { RepairStatus, VisitPageData } from '#contracts/bookings/visit-page.ts'
import { initialDecision } from '#contracts/estimates/decision-form.ts'
import type { Authorization, SentRevision } from '#contracts/estimates/estimates.ts'
import { vehicleStates } from '#domain/bookings/vehicle-state.ts'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { sampleSentJob, sampleSentRevision } from '#tests/support/estimates/sample-sent-revision.ts'
import { renderCustomerPage } from './render-customer-page.tsx'

const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(1)>`

const booking: VisitPageData = {
  id: '00000000-0000-4000-8000-000000000001',
  sequence: 0,
  state: 'expected',
  hasStarted: false,
  isTimeFree: true,
  now: '2026-11-23T18:12:00',
  serviceName: hostile,
  date: '2026-11-24',
  time: '13:00:00',
  durationMinutes: 90,
  customerName: hostile,
  wasEmailed: true,
  notes: hostile,
  vehicle_year: hostile,
  vehicle_make: hostile,
  vehicle_model: hostile,
  vehicle_color: hostile,
  heldUntil: null,
  hasConfirmedAttendance: false,
  changeUntil: '2026-11-24T11:00:00',
  cancelUntil: '2026-11-24T11:00:00',
  mayChange: true,
  mayCancel: true,
  canRestore: true,
  history: [
    { kind: 'cancelled', source: 'customer', at: '2026-11-20T10:00:00', before: null, after: null },
  ],
}
const jobs = [
  sampleSentJob({
    title: hostile,
    customerDescription: hostile,
    measurement: { value: 2, limit: 3, whenNew: 11, unit: hostile },
  }),
]
const sentRevision = sampleSentRevision({ customerName: hostile, customerNote: hostile, jobs })
const authorization: Authorization = {
  id: 1,
  batchId: 'one',
  revision: 1,
  revisionHash: sentRevision.revisionHash,
  jobKey: jobs[0]?.key ?? '',
  jobTitle: hostile,
  decision: 'approved',
  amountCents: 14_500,
  runningTotalCents: 14_500,
  method: 'web',
  decidedByName: hostile,
  relationship: '',
  contact: '',
  statement: '',
  wantsPartsBack: true,
  decidedAt: '2026-11-24T23:42:00Z',
  recordedBy: hostile,
  voidBecause: null,
}
const decided: SentRevision = {
  ...sentRevision,
  state: 'decided',
  authorizations: [authorization],
}
const work: RepairStatus = {
  sentRevision: decided,
  estimatePath: '/estimate/token',
  tasks: [{ title: hostile, status: 'on_hold', note: hostile, isReady: false }],
  events: [{ kind: 'waiting_on_parts', title: hostile, at: '2026-11-24T10:00:00' }],
  hasInvoice: true,
  invoice: {
    number: hostile,
    totalCents: 14_500,
    balanceCents: 14_500,
    isPaid: false,
    paidAt: null,
  },
}
const path = '/visit/token'
const chosen = { date: '2026-11-25', month: '2026-11-01', time: '15:00', isDayPicked: true }
const question = { email: hostile, date: '2026-11-24', time: '13:00:00' }

const all: readonly CustomerPage[] = [
  ...vehicleStates.map((state) => ({
    name: 'visit' as const,
    booking: { ...booking, state },
    path,
    work,
  })),
  { name: 'cancel', booking, path, work },
  { name: 'reschedule', booking, path, chosen, times: ['15:00:00'], taken: [] },
  { name: 'estimate', sentRevision, path, booking },
  {
    name: 'estimate',
    sentRevision,
    path,
    choice: { ...initialDecision(sentRevision), decidedByName: hostile },
  },
  { name: 'estimate', sentRevision: decided, path },
  { name: 'decline', sentRevision, path },
  ...(['open', 'void'] as const).map((state) => ({
    name: 'invoice' as const,
    path,
    paymentNotice: 'unavailable' as const,
    invoice: {
      number: hostile,
      state,
      currency: 'usd',
      dueDate: '2026-12-04',
      totalCents: 14_500,
      paidCents: 500,
      balanceCents: 14_000,
      work: [{ position: 1, description: hostile, cents: 14_500 }],
    },
  })),
  ...(['open', 'answered', 'closed'] as const).map((state) => ({
    name: 'address' as const,
    question: { ...question, state },
    path,
  })),
  { name: 'find_booking', input: hostile },
  ...messagePageNames.map((name) => ({ name })),
]
const shop = { ...defaultShop, name: hostile, address: { ...defaultShop.address, street: hostile } }

afterEach(() => vi.restoreAllMocks())

describe.each(all.map((page) => [page.name, page] as const))('the page %s', (_name, page) => {
  it('the rendered HTML shows untrusted text without markup, in text and in attributes', () => {
    const { main } = renderCustomerPage(shop, page)
    expect(main).toContain('<main id="main"')
    expect(main).not.toMatch(/<(script|style|img)|"'>/)
    expect(main).not.toMatch(/(href|action)="(?!\/|#|tel:|https:\/\/www\.openstreetmap\.org\/)/)
  })

  it('the rendering causes no warning of React', () => {
    const warn = vi.spyOn(console, 'error')
    renderCustomerPage(shop, page)
    expect(warn.mock.calls).toEqual([])
  })
})

it('customer pages format instants in the time zone of the shop', () => {
  const held = { ...booking, state: 'held' as const, heldUntil: '2026-11-24T18:30:00Z' }
  const leadIn = (timeZone: string) =>
    /visit-lead">([^<]*)/.exec(
      renderCustomerPage({ ...shop, timeZone }, { name: 'visit', booking: held, path, work }).main,
    )?.[1]
  expect(leadIn('America/New_York')).toContain('until 1:30 PM')
  expect(leadIn('America/Los_Angeles')).toContain('until 10:30 AM')
})
