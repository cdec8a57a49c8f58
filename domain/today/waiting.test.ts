import { describe, expect, it } from 'vitest'
import { listWaitingOnShop, type WaitingOnShopFacts } from './waiting-on-shop.ts'
import { listWaitingOnCustomer, type WaitingOnCustomerFacts } from './waiting-on-customer.ts'
import type { VehicleFacts, VehicleTask } from '#domain/bookings/vehicle-state.ts'
import type { WaitingClock } from './waiting-item.ts'

/** The current time of these tests: Tuesday, November 24, 2026, 12:40 PM, shop time. */
const clock: WaitingClock = { today: '2026-11-24', instant: new Date('2026-11-24T12:40:00-08:00') }
const nothing: WaitingOnShopFacts = {
  now: '2026-11-24T12:40:00',
  bays: [
    { id: 'b1', name: 'Bay 1' },
    { id: 'rack', name: 'Rack' },
  ],
  bookings: [],
  also_here: [],
  quotes: [],
  undelivered_emails: [],
  to_notify: [],
  schedule_conflicts: [],
  unclosed_days: [],
  ledger_differences: [],
  undecided_deposits: [],
}
const facts = (bookingState: string, ...tasks: VehicleTask[]): VehicleFacts => ({
  bookingState,
  hold: 'none',
  tasks,
  isPaid: false,
})
const renee = {
  id: 'renee',
  customer_name: 'Renee Dupont',
  starts_at: '2026-11-24T12:30:00',
  ends_at: '2026-11-24T13:45:00',
  vehicle_facts: facts('arrived'),
  state_changed_at: '2026-11-24T12:22:00-08:00',
  bay_id: 'rack',
}
const scheduleConflict = {
  booking_id: 'sam',
  appointment_date: '2026-11-24',
  appointment_time: '15:45:00',
  duration_minutes: 30,
  customer_name: 'Sam Okafor',
  service_name: 'Battery Test',
  problem: 'no_bay' as const,
}
const email = {
  id: 'l',
  kind: 'booking_moved',
  recipient_name: 'Omar Haddad',
  recipient_email: 'omar@customer.example',
  phone: '(650) 555-0128',
  booking_id: 'omar',
  appointment_date: '2026-11-30',
  quote_request_id: null,
}
const quote = {
  id: 'nina',
  name: 'Nina Petrov',
  vehicle_year: '2020',
  vehicle_make: 'Mazda',
  vehicle_model: 'CX-5',
  service_type: 'ac-heating',
  created_at: '2026-11-23T17:40:00-08:00',
}
const they = (change: Partial<WaitingOnShopFacts>) =>
  listWaitingOnShop({ ...nothing, ...change }, clock)

describe('listWaitingOnShop', () => {
  it('is empty when nothing needs attention', () => {
    expect(they({})).toEqual([])
  })

  it('lists deposits of cancelled appointments that the shop has neither returned nor used', () => {
    const deposit = {
      estimateId: 'e1',
      number: 'E-0101',
      customerName: 'Maria Delgado',
      heldCents: 15_000,
      because: 'cancelled' as const,
    }
    expect(they({ undecided_deposits: [deposit] })).toMatchObject([
      {
        title: 'Deposit of Maria Delgado',
        detail: '$150.00 held, and the appointment was cancelled',
        target: { kind: 'estimate', id: 'e1' },
      },
    ])
  })

  it('lists customers at the counter with their arrival time and whether their bay is free', () => {
    expect(they({ bookings: [renee] })).toEqual([
      {
        key: 'here renee',
        about: 'bay',
        title: 'Renee Dupont has arrived, Rack is free',
        detail: 'Arrived 12:22 PM, scheduled for 12:30 PM',
        wait: '18 min',
        isUrgent: true,
        target: { kind: 'booking', id: 'renee', date: '2026-11-24' },
      },
    ])
  })

  it('lists a customer who arrived before the date of the appointment, with that date', () => {
    const early = { ...renee, starts_at: '2026-11-27T12:30:00', ends_at: '2026-11-27T13:30:00' }
    expect(they({ also_here: [early] })).toMatchObject([
      {
        title: 'Renee Dupont has arrived, Rack is free',
        detail: 'Arrived 12:22 PM, scheduled for Friday, November 27 at 12:30 PM',
        target: { kind: 'booking', id: 'renee', date: '2026-11-27' },
      },
    ])
  })

  it('does not state that a bay is free while the vehicle of an appointment on another date is being repaired in that bay', () => {
    const early = {
      ...renee,
      id: 'early',
      vehicle_facts: facts('in_work'),
      starts_at: '2026-11-27T12:00:00',
    }
    expect(they({ bookings: [renee], also_here: [early] }).map(({ title }) => title)).toEqual([
      'Renee Dupont has arrived',
    ])
  })

  it.each([
    ['is in work there', { vehicle_facts: facts('in_work'), ends_at: '2026-11-24T12:00:00' }],
    [
      'is scheduled there now',
      { vehicle_facts: facts('confirmed'), starts_at: '2026-11-24T12:00:00' },
    ],
  ])('does not state that a bay is free while another vehicle %s', (_why, change) => {
    const other = { ...renee, id: 'other', ...change }
    expect(they({ bookings: [renee, other] }).map(({ title }) => title)).toEqual([
      'Renee Dupont has arrived',
    ])
  })

  it('lists a vehicle without a bay, with the time if the appointment is today and with the date if it is later', () => {
    const later = { ...scheduleConflict, booking_id: 'later', appointment_date: '2026-11-27' }
    const begun = { ...scheduleConflict, booking_id: 'begun', appointment_time: '12:00:00' }
    expect(
      they({ schedule_conflicts: [begun, scheduleConflict, later] }).map(({ detail, wait }) => [
        detail,
        wait,
      ]),
    ).toEqual([
      ['Battery Test at 12:00 PM, 30 min', 'since 12:00 PM'],
      ['Battery Test at 3:45 PM, 30 min', 'in 3 h'],
      ['Battery Test, Friday, November 27 at 3:45 PM. Assign a bay', 'Fri'],
    ])
  })

  it('shows one line for all appointments of a later date that have no bay or are outside the opening hours', () => {
    const outside = {
      ...scheduleConflict,
      problem: 'outside_hours' as const,
      appointment_date: '2026-11-26',
    }
    const unplaced = { ...scheduleConflict, appointment_date: '2026-11-26' }
    const alone = { ...outside, booking_id: 'alone', appointment_date: '2026-12-24' }
    expect(
      they({
        schedule_conflicts: [outside, { ...outside, booking_id: 'two' }, unplaced, unplaced, alone],
      }),
    ).toMatchObject([
      {
        title: '2 appointments are outside business hours',
        detail: 'Thursday, November 26. Move the appointments or keep them as is',
        wait: 'Thu',
        target: { kind: 'day', date: '2026-11-26' },
      },
      { title: '2 appointments have no bay', detail: 'Thursday, November 26. Assign bays' },
      {
        title: 'Sam Okafor is booked outside business hours',
        wait: 'Dec 24',
        target: { kind: 'booking', id: 'alone', date: '2026-12-24' },
      },
    ])
  })

  it('lists quote requests, and lists failed emails with the phone number to call', () => {
    expect(they({ quotes: [quote], undelivered_emails: [email] })).toMatchObject([
      {
        title: 'Nina Petrov asked for a quote',
        detail: '2020 Mazda CX-5, A/C & Heating',
        wait: '19 h',
        isUrgent: false,
      },
      {
        title: 'Email about the new time to Omar Haddad failed',
        detail: 'Call (650) 555-0128',
        isUrgent: true,
        target: { kind: 'booking', id: 'omar', date: '2026-11-30' },
      },
    ])
  })

  it('lists customers who were not notified of a change, except when the email about the change failed', () => {
    const moved = {
      id: 'maria',
      customer_name: 'Maria Delgado',
      customer_email: 'maria@customer.example',
      customer_phone: '(650) 555-0167',
      starts_at: '2026-11-27T09:00:00',
      is_cancelled: false,
    }
    const called = { ...moved, id: 'june', customer_email: null, is_cancelled: true }
    const failed = { ...moved, id: 'omar' }
    const lines = they({ to_notify: [moved, called, failed], undelivered_emails: [email] })
    expect(lines.map(({ title, detail }) => [title, detail]).slice(1)).toEqual([
      ['Customer not notified: Maria Delgado', 'New time: Friday, November 27 at 9:00 AM'],
      ['Call (650) 555-0167: Maria Delgado', 'Cancelled: Friday, November 27 at 9:00 AM'],
    ])
    expect(lines[1]).toMatchObject({
      wait: 'Fri',
      isUrgent: true,
      target: { kind: 'booking', id: 'maria', date: '2026-11-27' },
    })
  })

  it('links a failed email without an appointment, estimate or other record to the outbox', () => {
    const receipt = { ...email, kind: 'payment_receipt', booking_id: null, phone: null }
    expect(they({ undelivered_emails: [receipt] })).toMatchObject([
      { detail: 'To omar@customer.example', target: { kind: 'outbox' } },
    ])
  })

  it('lists customers at the counter before everything else', () => {
    const lines = they({
      bookings: [{ ...renee, id: 'later', state_changed_at: '2026-11-24T12:39:00-08:00' }, renee],
      quotes: [quote],
      undelivered_emails: [email],
      schedule_conflicts: [scheduleConflict],
    })
    expect(lines.map(({ key }) => key)).toEqual([
      'here renee',
      'here later',
      'bay sam',
      'quote nina',
      'letter l',
    ])
  })

  it('counts the hours until an appointment correctly if daylight-saving time begins in between', () => {
    const early = {
      ...scheduleConflict,
      appointment_date: '2027-03-14',
      appointment_time: '04:00:00',
    }
    const night = { today: '2027-03-14', instant: new Date('2027-03-14T01:00:00-08:00') }
    expect(listWaitingOnShop({ ...nothing, schedule_conflicts: [early] }, night)).toMatchObject([
      { wait: 'in 2 h' },
    ])
  })
})

describe('listWaitingOnCustomer', () => {
  const nothing: WaitingOnCustomerFacts = { held: [], tasks: [], invoices: [] }
  const we = (change: Partial<WaitingOnCustomerFacts>) =>
    listWaitingOnCustomer({ ...nothing, ...change }, clock)
  const invoice = {
    id: 'in_1',
    number: 'INV-1',
    customerName: 'Marisol Vega',
    balanceCents: 31_840,
    currency: 'usd',
  }

  it('lists invoices with the number of days since the due date in the shop time zone', () => {
    expect(
      we({
        invoices: [
          { ...invoice, id: 'late', dueDate: '2026-11-18' },
          { ...invoice, id: 'yesterday', dueDate: '2026-11-23' },
          { ...invoice, id: 'open', dueDate: '2026-11-24' },
          { ...invoice, id: 'none', dueDate: null },
        ],
      }).map(({ key, detail, wait, isUrgent }) => [key, detail, wait, isUrgent]),
    ).toEqual([
      ['invoice late', '$318.40, due Nov 18', '6 days late', true],
      ['invoice yesterday', '$318.40, due Nov 23', '1 day late', true],
      ['invoice open', '$318.40, due Nov 24', 'open', false],
      ['invoice none', '$318.40', 'open', false],
    ])
  })

  it('lists customers who have not confirmed their booking, with the time at which the hold of the slot ends', () => {
    const held = {
      id: 'h',
      customer_name: 'Iris Kwan',
      service_name: 'Oil Change',
      starts_at: '2026-11-27T15:30:00',
      held_until: '2026-11-24T13:00:00-08:00',
    }
    expect(we({ held: [held] })).toMatchObject([
      {
        title: 'Iris Kwan has not confirmed',
        detail: 'Oil Change, Friday, November 27 at 3:30 PM, on hold until 1:00 PM',
        wait: '20 min left',
        target: { kind: 'booking', id: 'h', date: '2026-11-27' },
      },
    ])
  })

  it('lists vehicles that are ready for pickup and tasks that wait for the customer', () => {
    const task = {
      id: 't',
      title: 'Brake job',
      customer_name: 'Dana Whitfield',
      vehicle_facts: facts('in_work', { status: 'completed', isReady: true }),
      since: '2026-11-23T16:00:00-08:00',
    }
    const lines = we({
      tasks: [
        task,
        {
          ...task,
          vehicle_facts: facts('in_work', { status: 'waiting_on_customer', isReady: false }),
          customer_name: null,
          since: '2026-11-24T11:40:00-08:00',
        },
      ],
    })
    expect(lines.map(({ title, detail, wait }) => [title, detail, wait])).toEqual([
      ['Dana Whitfield, ready for pickup', 'Brake job', 'since Mon'],
      ['Brake job, waiting on customer', 'Since Nov 24', '1 h'],
    ])
  })
})
