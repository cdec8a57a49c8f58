import { readFileSync } from 'node:fs'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router'
import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { Booking } from '#contracts/bookings/bookings.ts'
import type { DayBooking } from '#contracts/bookings/day.ts'
import type { Task } from '#contracts/tasks.ts'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { listWaitingOnShop } from '#domain/today/waiting-on-shop.ts'
import {
  type VehicleFacts,
  type VehicleState,
  vehicleState,
  vehicleStates,
} from '#domain/bookings/vehicle-state.ts'
import { listWaitingOnCustomer } from '#domain/today/waiting-on-customer.ts'
import type { RepairStatus, VisitPageData } from '#contracts/bookings/visit-page.ts'
import { renderCustomerPage } from '#web/customer-pages/render-customer-page.tsx'
import {
  command,
  factsOf,
  newVehicle,
  randomCommands,
  seeded,
} from '#tests/support/database/vehicle-model.ts'
import { StaffAccountProvider } from '#web/dashboard/kit/staff/staff-role.tsx'
import { BookingButtons } from '#web/dashboard/features/appointments/card/booking-buttons.tsx'
import { statusBadge } from '#web/dashboard/features/appointments/card/booking-text.ts'
import { BookingBlock } from '#web/dashboard/features/day/board/booking-block.tsx'
import { StepButtons } from '#web/dashboard/features/day/booking-panel/step-buttons.tsx'
import { TodaysBookingsCard } from '#web/dashboard/features/today/todays-bookings.tsx'
import { TaskCard } from '#web/dashboard/features/tasks/card/task-card.tsx'

/**
 * Reads the table of docs/product.md 12.14: the cells of each row by the state in its first column. '–' marks an empty
 * cell.
 */
function readTable(): Map<string, string[]> {
  const text = readFileSync(new URL('../../docs/product.md', import.meta.url), 'utf8')
  const section = text.slice(text.indexOf('12.14 **One state'), text.indexOf('## 13. Today'))
  const rows = section.split('\n').filter((line) => /^\| \w+ +\|/.test(line))
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim().replace(/^–$/, '')))
  return new Map(cells.slice(1).map(([, state = '', ...rest]) => [state, rest]))
}

const table = readTable()
function rowOf(state: VehicleState) {
  const [
    label = '',
    panel = '',
    beside = '',
    calendar = '',
    today = '',
    task = '',
    visitPage = '',
    button = '',
  ] = table.get(state) ?? []
  return {
    label,
    panel,
    beside: parts(beside),
    calendar: parts(calendar),
    today,
    task,
    visitPage,
    button,
  }
}
const parts = (cell: string) => (cell === '' ? [] : cell.split(', '))

/** The appointment is on Saturday, November 28, at 1:30 PM; the pages are rendered at 10 AM of the same day. */
const startsAt = '2026-11-28T13:30:00'
const now = '2026-11-28T10:00:00'

const vehicle = {
  vehicle_year: '2019',
  vehicle_make: 'Subaru',
  vehicle_model: 'Outback',
  vehicle_color: null,
}
const heldUntil = ({ hold }: VehicleFacts) => (hold === 'none' ? null : '2026-11-28T18:30:00Z')

function dayBooking(facts: VehicleFacts): DayBooking {
  return {
    ...vehicle,
    id: 'booking',
    version: 1,
    starts_at: startsAt,
    ends_at: '2026-11-28T14:30:00',
    minutes: 60,
    bay_id: 'bay',
    state: facts.bookingState,
    vehicle_facts: facts,
    state_changed_at: '2026-11-28T17:50:00Z',
    will_come: false,
    needs_notification: false,
    notified_starts_at: startsAt,
    notified_cancelled: false,
    service_id: 'service',
    service_name: 'Brake Job',
    vehicle_id: null,
    customer_name: 'Dana Whitfield',
    customer_phone: '(650) 555-0167',
    customer_email: 'dana@customer.example',
    notes: null,
    internal_note: null,
    flagged_reasons: [],
    held_until: heldUntil(facts),
    schedule_conflict: null,
    has_task: facts.tasks.length > 0,
  }
}

function booking(facts: VehicleFacts): Booking {
  return {
    ...vehicle,
    id: 'booking',
    service_id: 'service',
    service_name: 'Brake Job',
    appointment_date: '2026-11-28',
    appointment_time: '13:30:00',
    duration_minutes: 60,
    customer_name: 'Dana Whitfield',
    customer_email: 'dana@customer.example',
    customer_phone: '(650) 555-0167',
    notes: null,
    status: facts.bookingState === 'completed' ? 'confirmed' : facts.bookingState,
    completed_at: facts.bookingState === 'completed' ? '2026-11-28T18:00:00Z' : null,
    completed_by: facts.bookingState === 'completed' ? 'admin' : null,
    flagged_reasons: [],
    held_until: heldUntil(facts),
    attendance_confirmed_at: null,
    hold_confirmed_at: null,
    tasks: facts.tasks.length > 0 ? [{ id: 'task' }] : [],
    vehicle_facts: facts,
    emails: [],
  }
}

function task(facts: VehicleFacts): Task {
  return {
    id: 'task',
    title: 'Front brakes',
    description: '',
    priority: 'medium',
    status: 'on_hold',
    assigned_to: null,
    due_date: null,
    booking_id: 'booking',
    created_at: '2026-11-28T17:00:00Z',
    completed_at: null,
    ready_for_pickup_at: null,
    customer_note: '',
    wants_parts_back: false,
    employee: null,
    booking: { ...booking(facts), version: 1 },
    estimate: null,
  }
}

function createVisitPage(facts: VehicleFacts): VisitPageData {
  return {
    ...vehicle,
    id: 'booking',
    sequence: 0,
    state: vehicleState(facts),
    hasStarted: false,
    isTimeFree: true,
    now,
    serviceName: 'Brake Job',
    date: '2026-11-28',
    time: '13:30:00',
    durationMinutes: 60,
    customerName: 'Dana Whitfield',
    wasEmailed: false,
    notes: null,
    heldUntil: heldUntil(facts),
    hasConfirmedAttendance: false,
    changeUntil: startsAt,
    cancelUntil: startsAt,
    mayChange: true,
    mayCancel: true,
    canRestore: true,
    history: [],
  }
}

const work = ({ bookingState, tasks, isPaid }: VehicleFacts): RepairStatus => ({
  sentRevision: undefined,
  estimatePath: '',
  tasks: tasks.map(({ status, isReady }) => ({
    title: '',
    status: status as Task['status'],
    note: '',
    isReady,
  })),
  events: [],
  hasInvoice: bookingState !== 'cancelled',
  invoice:
    bookingState === 'cancelled'
      ? null
      : {
          number: 'TT-0148',
          totalCents: 29_295,
          balanceCents: 29_295,
          isPaid,
          paidAt: isPaid ? '2026-11-28T09:00:00' : null,
        },
})

const queries = new QueryClient()
// Links need a router; this router has no routes.
const router = createRouter({
  routeTree: createRootRoute(),
  history: createMemoryHistory(),
  isServer: true,
})
const owner = { username: 'admin', name: 'admin', role: 'owner' } as const
const asOwner = (page: ReactNode) =>
  // oxlint-disable-next-line react/no-children-prop -- the type of the provider requires this property
  createElement(StaffAccountProvider, { ...owner, children: page })
const render = (page: ReactNode) =>
  renderToStaticMarkup(
    createElement(
      QueryClientProvider,
      { client: queries },
      // oxlint-disable-next-line react/no-children-prop -- the type of the provider requires this property
      createElement(RouterContextProvider, { router, children: asOwner(page) }),
    ),
  )
const nothing = () => undefined
const textOf = (markup: string) =>
  markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll(/\s+/g, ' ')
    .trim()
const labelsIn = (markup: string) =>
  [...markup.matchAll(/<(?:button|a)\s[^>]*>(.*?)<\/(?:button|a)\s*>/gs)].map(([, label = '']) =>
    textOf(label.replaceAll(/<span class="visually-hidden">.*?<\/span>/gs, '')),
  )

const fill = (sentence: string, name = 'Dana Whitfield') =>
  sentence
    .replace('{weekday} {time}', 'Saturday 1:30 PM')
    .replace('{weekday}', 'Saturday')
    .replace('{time}', '1:30 PM')
    .replace('{closing}', '9:00 PM')
    .replace('{amount}', '$292.95')
    .replace('{name}', name)

/** Returns the texts and buttons that each page of the dashboard shows for a vehicle in the given state. */
function textsOfPages(facts: VehicleFacts) {
  const shownBooking = dayBooking(facts)
  const day = {
    day: '2026-11-28',
    now,
    bays: [{ id: 'bay', name: 'Bay 1' }],
    bookings: [shownBooking],
    also_here: [],
  }
  const clock = { today: day.day, instant: new Date('2026-11-28T18:00:00Z') }
  const facing = {
    quotes: [],
    undelivered_emails: [],
    schedule_conflicts: [],
    to_notify: [],
    unclosed_days: [],
    ledger_differences: [],
    undecided_deposits: [],
  }
  const held = {
    id: 'booking',
    customer_name: shownBooking.customer_name,
    service_name: shownBooking.service_name,
    starts_at: startsAt,
    held_until: '2026-11-28T18:30:00Z',
  }
  const waiting = { ...held, vehicle_facts: facts, title: 'Front brakes', since: held.held_until }
  const isWaiting = ['waiting_on_customer', 'ready', 'ready_and_paid'].includes(vehicleState(facts))
  const today = [
    ...listWaitingOnShop({ ...day, ...facing }, clock),
    ...listWaitingOnCustomer(
      {
        held: facts.hold === 'running' && vehicleState(facts) === 'held' ? [held] : [],
        tasks: isWaiting ? [waiting] : [],
        invoices: [],
      },
      clock,
    ),
  ]
  const panel = render(
    createElement(StepButtons, {
      booking: shownBooking,
      record: booking(facts),
      isBusy: false,
      onStep: nothing,
      onMove: nothing,
      onEdit: nothing,
      onAddToTasks: nothing,
    }),
  )
  const calendar = render(
    createElement(BookingButtons, {
      booking: booking(facts),
      undoLabel: 'Undo',
      onComplete: nothing,
      onAddToTasks: nothing,
      onUndo: nothing,
      onDelete: nothing,
      onReopen: nothing,
      busyId: undefined,
    }),
  )
  const card = render(
    createElement(TaskCard, {
      task: task(facts),
      log: { changes: [], notes: [] },
      today: day.day,
      isLinked: false,
      actions: {
        setStatus: () => Promise.resolve(true),
        addNote: () => Promise.resolve(true),
        markReady: () => Promise.resolve(true),
        completeBooking: () => Promise.resolve(true),
        remove: () => Promise.resolve(true),
        isBusy: false,
      },
      handlers: { onUpdateStatus: nothing, onAddNote: nothing, onDelete: nothing },
    }),
  )
  const block = render(
    createElement(BookingBlock, {
      block: {
        booking: shownBooking,
        startsAtMinute: 810,
        endsAtMinute: 870,
        side: 0,
        sides: 1,
      } as never,
      isNarrow: false,
      selection: { chosenId: undefined, onChoose: nothing } as never,
    }),
  )
  const list = render(
    createElement(TodaysBookingsCard, {
      day: { ...day, bookings: [shownBooking], also_here: [] } as never,
    }),
  )
  const page = renderCustomerPage(defaultShop, {
    name: 'visit',
    booking: createVisitPage(facts),
    path: '/visit/token',
    work: work(facts),
  }).main
  return {
    panel,
    calendar,
    card,
    block,
    list,
    today,
    page,
    badge: statusBadge(booking(facts)).label,
  }
}

function expectTable(facts: VehicleFacts) {
  const state = vehicleState(facts)
  const row = rowOf(state)
  const texts = textsOfPages(facts)
  const strong = /<(?:button|a)\s[^>]*compact-button-strong[^>]*>(.*?)<\/(?:button|a)\s*>/s
  const what = `${state}: ${JSON.stringify(facts)}`
  const panel = labelsIn(texts.panel)
  expect(textOf(strong.exec(texts.panel)?.[1] ?? ''), `panel, ${what}`).toBe(
    row.panel === 'In tasks' && facts.tasks.length === 0 ? '' : row.panel,
  )
  const steps = new Set(['Arrived', 'Start work', 'Complete', 'Confirm', 'Reopen', 'In tasks'])
  const others = panel.filter((label) => label.startsWith('Undo') || steps.has(label))
  const isByTask =
    facts.bookingState !== 'in_work' || facts.tasks.some(({ status }) => status === 'in_progress')
  const beside = state === 'in_work' && isByTask ? [] : row.beside
  expect(
    others.filter((label) => label !== row.panel && label !== 'In tasks'),
    `beside, ${what}`,
  ).toEqual(beside)
  expect(labelsIn(texts.calendar), `calendar, ${what}`).toEqual(row.calendar)
  expect(texts.badge, `calendar, ${what}`).toBe(state === 'picked_up' ? 'COMPLETED' : row.label)
  expect(textOf(texts.block), `day, ${what}`).toContain(` ${row.label} `)
  expect(
    texts.today.map(({ title }) => title.replace(', Bay 1 is free', '')),
    `Today, ${what}`,
  ).toEqual(row.today === '' ? [] : [fill(row.today)])
  if (!['cancelled', 'no_show', 'not_confirmed', 'picked_up'].includes(state)) {
    expect(textOf(texts.list), `Today, ${what}`).toContain(row.label)
  }
  expect(textOf(texts.card), `task card, ${what}`).toContain(`Vehicle ${row.label} `)
  expect(labelsIn(texts.card).includes('Picked up'), `task card, ${what}`).toBe(
    row.task === 'Picked up',
  )
  const heading = textOf(/<h1[^>]*>(.*?)<\/h1>/s.exec(texts.page)?.[1] ?? '')
  expect(heading, `visit page, ${what}`).toBe(fill(row.visitPage, 'Dana'))
  const offered = labelsIn(texts.page)
  if (row.button !== '') expect(offered, `visit page, ${what}`).toContain(fill(row.button))
  const requested = offered.filter((label) =>
    /be there|^Confirm|^Restore|^Book another/.test(label),
  )
  expect(
    requested.filter((label) => label !== fill(row.button) && state !== 'cancelled'),
    `visit page, ${what}`,
  ).toEqual([])
}

describe('the table of vehicle states in docs/product.md 12.14', () => {
  it('has a row for each state and no other rows', () => {
    expect([...table.keys()]).toEqual([...vehicleStates])
  })

  it('matches the texts and actions of every page after each of 10,000 random sequences of commands', () => {
    const seen = new Map<string, VehicleState>()
    for (let seed = 1; seed <= 10_000; seed += 1) {
      const random = seeded(seed)
      const chance = random()
      const model = newVehicle(chance < 0.1 ? 'running' : chance < 0.2 ? 'ended' : 'none')
      for (const requested of randomCommands(random, 3 + Math.floor(random() * 12))) {
        // The random booking gets at most two tasks. More tasks would add no new state, because the rules distinguish
        // only between none, some and all of the tasks.
        if (requested.kind !== 'add_task' || model.tasks.length < 2) command(model, requested)
      }
      const facts = factsOf(model)
      const key = JSON.stringify({
        ...facts,
        tasks: facts.tasks.map((one) => JSON.stringify(one)).toSorted(),
      })
      // The pages of each combination of booking and task states are rendered only once.
      if (seen.has(key)) continue
      seen.set(key, vehicleState(facts))
      expectTable(facts)
    }
    // Every vehicle state must have occurred in the random sequences. Otherwise the test would not cover all states.
    expect(new Set(seen.values())).toEqual(new Set(vehicleStates))
  })
})
