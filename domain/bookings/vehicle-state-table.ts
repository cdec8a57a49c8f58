import type { VehicleFacts, VehicleState } from './vehicle-state.ts'

/**
 * A change of the booking's state that staff can make: `to` is the new state, the argument of `change_booking_state`.
 */
export type StaffStep = { readonly label: string; readonly to: string }

/** A button beside an appointment in the dashboard's calendar and list of appointments. */
export type CalendarButton =
  | 'complete'
  | 'add_to_tasks'
  | 'keep'
  | 'undo'
  | 'delete'
  | 'reopen'
  | 'confirm'
  | 'undo_no_show'

/** A button that the customer sees on the visit page. */
export type VisitButton =
  | 'confirm'
  | 'attend'
  | 'pay'
  | 'receipt'
  | 'restore'
  | 'book_another'
  | 'none'

/** The texts and buttons that all pages show for one state of a vehicle. */
type VehicleRow = {
  /** The label of the badge in the day view, the booking panel, the calendar, Today, and on the task card. */
  readonly label: string
  /** The line in 'Needs attention' on the page Today, with '{name}' for the customer; null without a line. */
  readonly today: string | null
  /** The primary button of the booking panel; 'task' is a button that opens the task; null shows no button. */
  readonly panel: StaffStep | 'task' | null
  /** The secondary buttons of the booking panel. */
  readonly beside: readonly StaffStep[]
  readonly calendar: readonly CalendarButton[]
  /** A button on the task card that changes the booking's state; null shows no button. */
  readonly taskCard: StaffStep | null
  readonly visitButton: VisitButton
  /**
   * The index of the highlighted step of 'Progress' on the visit page: 0 Booked, 1 Here, 3 Work, 4 Ready; null hides
   * the progress. Step 2 is 'Estimate', which only the page of an estimate highlights.
   */
  readonly stage: 0 | 1 | 3 | 4 | null
}

const arrive: StaffStep = { label: 'Arrived', to: 'arrived' }
const start: StaffStep = { label: 'Start work', to: 'in_work' }
const complete: StaffStep = { label: 'Complete', to: 'completed' }
const pickUp: StaffStep = { label: 'Picked up', to: 'completed' }
const open: readonly CalendarButton[] = ['complete', 'add_to_tasks']

/**
 * The texts and buttons for each state of a vehicle (docs/product.md 12.14). The type makes a missing state a compile
 * error.
 */
export const vehicleTable: Readonly<Record<VehicleState, VehicleRow>> = {
  held: {
    label: 'Held',
    today: '{name} has not confirmed',
    panel: arrive,
    beside: [complete],
    calendar: [...open, 'keep'],
    taskCard: null,
    visitButton: 'confirm',
    stage: null,
  },
  expected: {
    label: 'Booked',
    today: null,
    panel: arrive,
    beside: [complete],
    calendar: open,
    taskCard: null,
    visitButton: 'attend',
    stage: 0,
  },
  here: {
    label: 'Arrived',
    today: '{name} has arrived',
    panel: start,
    beside: [complete, { label: 'Undo arrival', to: 'confirmed' }],
    calendar: open,
    taskCard: null,
    visitButton: 'none',
    stage: 1,
  },
  in_work: {
    label: 'In work',
    today: null,
    panel: complete,
    beside: [{ label: 'Undo start of work', to: 'arrived' }],
    calendar: open,
    taskCard: null,
    visitButton: 'none',
    stage: 3,
  },
  waiting_on_parts: {
    label: 'Waiting on parts',
    today: null,
    panel: 'task',
    beside: [complete],
    calendar: open,
    taskCard: null,
    visitButton: 'none',
    stage: 3,
  },
  waiting_on_customer: {
    label: 'Waiting on customer',
    today: '{name}, waiting on customer',
    panel: 'task',
    beside: [complete],
    calendar: open,
    taskCard: null,
    visitButton: 'none',
    stage: 3,
  },
  ready: {
    label: 'Ready for pickup',
    today: '{name}, ready for pickup',
    panel: complete,
    beside: [],
    calendar: open,
    taskCard: pickUp,
    visitButton: 'pay',
    stage: 4,
  },
  ready_and_paid: {
    label: 'Ready, paid',
    today: '{name}, paid and ready for pickup',
    panel: complete,
    beside: [],
    calendar: open,
    taskCard: pickUp,
    visitButton: 'receipt',
    stage: 4,
  },
  picked_up: {
    label: 'Picked up',
    today: null,
    panel: null,
    beside: [{ label: 'Undo Complete', to: 'before' }],
    calendar: ['undo', 'delete'],
    taskCard: null,
    visitButton: 'book_another',
    stage: 4,
  },
  cancelled: {
    label: 'Cancelled',
    today: null,
    panel: null,
    beside: [{ label: 'Reopen', to: 'confirmed' }],
    calendar: ['reopen'],
    taskCard: null,
    visitButton: 'restore',
    stage: null,
  },
  no_show: {
    label: 'No-show',
    today: null,
    panel: arrive,
    beside: [{ label: 'Undo No-show', to: 'confirmed' }],
    calendar: ['undo_no_show'],
    taskCard: null,
    visitButton: 'book_another',
    stage: null,
  },
  not_confirmed: {
    label: 'Not confirmed',
    today: null,
    panel: { label: 'Confirm', to: 'confirmed' },
    beside: [],
    calendar: ['confirm'],
    taskCard: null,
    visitButton: 'confirm',
    stage: null,
  },
}

/** Returns whether a vehicle in the given state is at the shop. */
export function isAtShop(state: VehicleState): boolean {
  return isInWork(state) || ['here', 'ready', 'ready_and_paid'].includes(state)
}

/**
 * Returns whether work on the vehicle has begun and is unfinished. The shop assigns the bay of such a vehicle to no
 * other vehicle.
 */
export function isInWork(state: VehicleState): boolean {
  return ['in_work', 'waiting_on_parts', 'waiting_on_customer'].includes(state)
}

/**
 * Returns whether a vehicle in the given state no longer needs a bay: the vehicle was picked up, or the appointment was
 * cancelled or missed.
 */
export function hasLeft(state: VehicleState): boolean {
  return ['picked_up', 'cancelled', 'no_show', 'not_confirmed'].includes(state)
}

/** The line in 'Needs attention' on the page Today about the customer '{name}'; '' when the state has no line. */
export function todaySentence(state: VehicleState, name: string): string {
  return vehicleTable[state].today?.replace('{name}', () => name) ?? ''
}

/**
 * The secondary buttons of the booking panel. When a started task makes the state 'in_work', there are none, because
 * staff can undo the start only on the task itself.
 */
export function stepsBeside(state: VehicleState, { bookingState, tasks }: VehicleFacts) {
  const isByTask =
    bookingState !== 'in_work' || tasks.some(({ status }) => status === 'in_progress')
  const { beside } = vehicleTable[state]
  return state === 'in_work' && isByTask ? [] : beside
}
