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
    ['a booking whose hold is running', 'held', { hold: 'running' }],
    [
      'a booking whose hold has expired, before the database records the expiry',
      'not_confirmed',
      { hold: 'ended' },
    ],
    ['a confirmed booking', 'expected', {}],
    [
      'a booking with a status that staff entered as free text',
      'expected',
      { bookingState: 'Loaner promised' },
    ],
    [
      'a confirmed booking with a task that waits for parts',
      'expected',
      { tasks: [task('waiting_on_parts')] },
    ],
    ['a confirmed booking with a completed task', 'expected', { tasks: [task('completed')] }],
    [
      'an arrived vehicle with a pending task and a task on hold',
      'here',
      { bookingState: 'arrived', tasks: [task('pending'), task('on_hold')] },
    ],
    ['a booking in work without tasks', 'in_work', { bookingState: 'in_work' }],
    ['a confirmed booking with a task in progress', 'in_work', { tasks: [task('in_progress')] }],
    [
      'an arrived vehicle with a completed task',
      'in_work',
      { bookingState: 'arrived', tasks: [task('completed')] },
    ],
    [
      'a booking in work with a ready task and a pending task',
      'in_work',
      { bookingState: 'in_work', tasks: [ready, task('pending')] },
    ],
    [
      'an arrived vehicle with a task that waits for the customer and a task that waits for parts',
      'waiting_on_parts',
      { bookingState: 'arrived', tasks: [task('waiting_on_customer'), task('waiting_on_parts')] },
    ],
    [
      'a booking in work with a task that waits for the customer',
      'waiting_on_customer',
      { bookingState: 'in_work', tasks: [task('waiting_on_customer')] },
    ],
    [
      'a confirmed booking with a ready task, although staff did not record the arrival',
      'ready',
      { tasks: [ready] },
    ],
    [
      'a booking with a ready task and a cancelled task',
      'ready',
      { tasks: [ready, task('cancelled')] },
    ],
    [
      'an arrived vehicle with a ready task and a paid invoice',
      'ready_and_paid',
      { bookingState: 'arrived', tasks: [ready], isPaid: true },
    ],
    [
      'a completed booking with a task that is ready but not picked up',
      'picked_up',
      { bookingState: 'completed', tasks: [ready] },
    ],
    [
      'a cancelled booking with a task in progress',
      'cancelled',
      { bookingState: 'cancelled', tasks: [task('in_progress')] },
    ],
    ['a booking whose customer did not come', 'no_show', { bookingState: 'no_show' }],
    [
      'a booking whose expired hold is recorded',
      'not_confirmed',
      { bookingState: 'not_confirmed' },
    ],
  ])('for %s the state is %s', (_what, state, change) => {
    expect(vehicleState(facts(change))).toBe(state)
  })
})

describe('vehicleTable', () => {
  it("offers neither 'Arrived' nor 'Start work' for a vehicle at the shop whose work has begun", () => {
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

  it('contains no text for the Today page in the states of a vehicle that has left the shop', () => {
    const left = vehicleStates.filter(hasLeft)
    expect(left.map((state) => vehicleTable[state].today)).toEqual([null, null, null, null])
  })

  it('does not offer to undo the start of work while a task of the vehicle is in progress', () => {
    const labels = (change: Partial<VehicleFacts>) =>
      stepsBeside('in_work', facts({ bookingState: 'in_work', ...change })).map(
        ({ label }) => label,
      )
    expect(labels({})).toEqual(['Undo start of work'])
    expect(labels({ tasks: [task('in_progress')] })).toEqual([])
    expect(labels({ bookingState: 'arrived', tasks: [task('completed')] })).toEqual([])
  })
})
