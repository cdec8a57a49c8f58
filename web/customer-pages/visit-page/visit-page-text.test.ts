import { describe, expect, it } from 'vitest'
import type { HistoryEntry, VisitPageData } from '#contracts/bookings/visit-page.ts'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { vehicleStateText } from './vehicle-state-text.ts'
import { historyTexts } from './visit-page-text.ts'

const line = (change: Partial<HistoryEntry>): HistoryEntry => ({
  kind: 'booked',
  source: 'visitor',
  at: '2026-11-20T10:00:00',
  before: null,
  after: null,
  ...change,
})
const createBooking = (change: Partial<VisitPageData> = {}): VisitPageData => ({
  id: '00000000-0000-4000-8000-000000000001',
  sequence: 0,
  state: 'expected',
  hasStarted: false,
  isTimeFree: true,
  now: '2026-11-23T18:12:00',
  serviceName: 'Brake Job',
  date: '2026-11-24',
  time: '13:00:00',
  durationMinutes: 90,
  customerName: 'Maria Delgado',
  wasEmailed: true,
  notes: null,
  vehicle_year: null,
  vehicle_make: null,
  vehicle_model: null,
  vehicle_color: null,
  heldUntil: null,
  hasConfirmedAttendance: false,
  changeUntil: '2026-11-24T11:00:00',
  cancelUntil: '2026-11-24T11:00:00',
  mayChange: true,
  mayCancel: true,
  canRestore: false,
  history: [line({})],
  ...change,
})
const textsOf = (...history: HistoryEntry[]) =>
  historyTexts(createBooking({ history })).map(({ text }) => text)

describe('the history on the visit page', () => {
  it('states whether the customer or the shop moved the appointment, with the old and the new time', () => {
    const before = { date: '2026-11-24', time: '13:00' }
    const after = { date: '2026-11-25', time: '11:30' }
    expect(textsOf(line({ kind: 'moved', source: 'customer', before, after }))).toEqual([
      'You moved it from Tuesday, November 24, 1:00 PM to Wednesday, November 25, 11:30 AM',
    ])
    const within = { before: { time: '13:00' }, after: { time: '15:00' } }
    expect(textsOf(line({ kind: 'moved', source: 'counter', ...within }))).toEqual([
      'The shop moved it from 1:00 PM to 3:00 PM',
    ])
  })

  it('leaves out new bays, durations and visit page links, and also steps that staff undid', () => {
    expect(
      textsOf(
        line({ source: 'counter' }),
        line({ kind: 'moved', source: 'counter', before: {}, after: {} }),
        line({ kind: 'extended', source: 'counter' }),
        line({ kind: 'relinked', source: 'counter' }),
        line({ kind: 'arrived', source: 'counter' }),
        line({ kind: 'undone', source: 'counter' }),
        line({ kind: 'no_show', source: 'counter' }),
      ),
    ).toEqual(['Booked by phone'])
  })

  it('states whether the customer or the shop cancelled and restored the appointment', () => {
    const back = { before: { state: 'cancelled' }, after: { state: 'confirmed' } }
    expect(
      textsOf(
        line({ kind: 'cancelled', source: 'customer' }),
        line({ kind: 'reopened', source: 'customer', ...back }),
        line({ kind: 'cancelled', source: 'counter' }),
        line({ kind: 'reopened', source: 'counter', ...back }),
      ),
    ).toEqual([
      'You cancelled the appointment',
      'You restored the appointment',
      'The shop cancelled the appointment',
      'The shop restored the appointment',
    ])
  })
})

describe('the heading and the introduction of the visit page', () => {
  it('show the time of an upcoming appointment', () => {
    expect(vehicleStateText({ shop: defaultShop, booking: createBooking() })).toEqual({
      heading: 'See you Tuesday at 1:00 PM',
      lead: 'November 24. Brake Job, about 1 hour and 30 minutes.',
    })
  })

  it('do not state that there is no charge when the booking has an invoice', () => {
    const heading = (work?: { tasks: []; invoice: null; hasInvoice: boolean }) =>
      vehicleStateText({ shop: defaultShop, booking: createBooking({ state: 'cancelled' }), work })
        .heading
    expect(heading()).toBe('Cancelled. There is no charge.')
    expect(heading({ tasks: [], invoice: null, hasInvoice: true })).toBe(
      'Your appointment is cancelled',
    )
  })

  it('mention an email only if one was sent', () => {
    const history = [line({ kind: 'cancelled', source: 'customer' })]
    const lead = (change: Partial<VisitPageData>) =>
      vehicleStateText({
        shop: defaultShop,
        booking: createBooking({ state: 'cancelled', history, ...change }),
      }).lead
    expect(lead({})).toBe(
      'Tuesday, November 24, 1:00 PM is free again. We sent you an email to confirm this.',
    )
    expect(lead({ wasEmailed: false })).toBe('Tuesday, November 24, 1:00 PM is free again.')
  })
})
