import { describe, expect, it } from 'vitest'
import {
  type VehicleFacts,
  vehicleState,
  vehicleStates,
  type VehicleTask,
} from './vehicle-state.ts'
import { hasLeft, isAtShop, stepsBeside, vehicleTable } from './vehicle-state-table.ts'

const task = (status: string, isReady = false): VehicleTask => ({ status, isReady })
const ready = task('completed', true)
const facts = (change: Partial<VehicleFacts>): VehicleFacts => ({
  bookingState: 'confirmed',
  hold: 'none',
  tasks: [],
  isPaid: false,
  ...change,
})

describe('vehicleState', () => {
  it.each<[string, string, Partial<VehicleFacts>]>([
    ['waits for its customer to confirm', 'held', { hold: 'running' }],
    [
      'is not confirmed once its hold has ended, before the database has recorded it',
      'not_confirmed',
      { hold: 'ended' },
    ],
    ['is expected', 'expected', {}],
    [
      'is expected under a status that staff wrote',
      'expected',
      { bookingState: 'Loaner promised' },
    ],
    [
      'is expected while parts for it are ordered',
      'expected',
      { tasks: [task('waiting_on_parts')] },
    ],
    ['is expected although a task was done ahead', 'expected', { tasks: [task('completed')] }],
    ['is here', 'here', { bookingState: 'arrived', tasks: [task('pending'), task('on_hold')] }],
    ['is in work', 'in_work', { bookingState: 'in_work' }],
    ['is in work while a task is', 'in_work', { tasks: [task('in_progress')] }],
    [
      'is in work once a task was done',
      'in_work',
      { bookingState: 'arrived', tasks: [task('completed')] },
    ],
    [
      'is in work while one task is ready and another is not done',
      'in_work',
      { bookingState: 'in_work', tasks: [ready, task('pending')] },
    ],
    [
      'waits on parts before it waits on its customer',
      'waiting_on_parts',
      { bookingState: 'arrived', tasks: [task('waiting_on_customer'), task('waiting_on_parts')] },
    ],
    [
      'waits on its customer',
      'waiting_on_customer',
      { bookingState: 'in_work', tasks: [task('waiting_on_customer')] },
    ],
    ['is ready although nobody pressed Arrived', 'ready', { tasks: [ready] }],
    ['is ready whatever was cancelled', 'ready', { tasks: [ready, task('cancelled')] }],
    [
      'is ready and paid',
      'ready_and_paid',
      { bookingState: 'arrived', tasks: [ready], isPaid: true },
    ],
    [
      'was picked up, whatever its tasks say',
      'picked_up',
      { bookingState: 'completed', tasks: [ready] },
    ],
    ['was cancelled', 'cancelled', { bookingState: 'cancelled', tasks: [task('in_progress')] }],
    ['never came', 'no_show', { bookingState: 'no_show' }],
    ['was not confirmed', 'not_confirmed', { bookingState: 'not_confirmed' }],
  ])('the vehicle %s', (_what, state, change) => {
    expect(vehicleState(facts(change))).toBe(state)
  })
})

describe('vehicleTable', () => {
  it('never shows Arrived or Start work for a vehicle that is at the shop and in work', () => {
    const offered = vehicleStates.filter((state) => isAtShop(state) && state !== 'here')
    const next = offered.map((state) => vehicleTable[state].panel)
    expect(next.map((step) => (step === 'task' || step === null ? step : step.label))).toEqual([
      'Complete',
      'task',
      'task',
      'Complete',
      'Complete',
    ])
  })

  it('has no line on Today for a vehicle that has left', () => {
    const left = vehicleStates.filter(hasLeft)
    expect(left.map((state) => vehicleTable[state].today)).toEqual([null, null, null, null])
  })

  it('allows undoing the start of a task only on the task itself', () => {
    const labels = (change: Partial<VehicleFacts>) =>
      stepsBeside('in_work', facts({ bookingState: 'in_work', ...change })).map(
        ({ label }) => label,
      )
    expect(labels({})).toEqual(['Undo start of work'])
    expect(labels({ tasks: [task('in_progress')] })).toEqual([])
    expect(labels({ bookingState: 'arrived', tasks: [task('completed')] })).toEqual([])
  })
})
