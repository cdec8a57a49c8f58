import type { VehicleFacts } from '#domain/bookings/vehicle-state.ts'

/** The actions on a booking and its tasks, named after the database's procedures. */
export type Command =
  | { readonly kind: 'state'; readonly to: string }
  | { readonly kind: 'add_task' }
  | { readonly kind: 'task'; readonly nth: number; readonly to: string }
  | { readonly kind: 'ready' | 'delete_task'; readonly nth: number }
  | { readonly kind: 'pay' }

type ModelTask = { status: string; isReady: boolean }

/** A model of a booking: the state that the database should have after each command. */
export type VehicleModel = {
  status: string
  isCompleted: boolean
  hold: VehicleFacts['hold']
  readonly tasks: ModelTask[]
  isPaid: boolean
  /** The status of the booking before its first task was started; undefined after any later change of the status. */
  beforeTask: string | undefined
}

export const newVehicle = (hold: VehicleFacts['hold'] = 'none'): VehicleModel => ({
  status: 'confirmed',
  isCompleted: false,
  hold,
  tasks: [],
  isPaid: false,
  beforeTask: undefined,
})

const stateOf = ({ status, isCompleted }: VehicleModel) => (isCompleted ? 'completed' : status)

export const factsOf = (vehicle: VehicleModel): VehicleFacts => ({
  bookingState: stateOf(vehicle),
  hold: vehicle.hold,
  tasks: vehicle.tasks.map((task) => ({ ...task })),
  isPaid: vehicle.isPaid,
})

/** The states to which staff can change a booking (docs/product.md 12.4). */
const steps: Readonly<Record<string, readonly string[]>> = {
  confirmed: ['arrived', 'in_work', 'completed', 'cancelled', 'no_show'],
  arrived: ['confirmed', 'in_work', 'completed', 'cancelled'],
  in_work: ['confirmed', 'arrived', 'completed', 'cancelled'],
  completed: ['confirmed', 'arrived', 'in_work'],
  cancelled: ['confirmed', 'arrived', 'in_work', 'not_confirmed'],
  no_show: ['confirmed', 'arrived'],
  not_confirmed: ['confirmed', 'cancelled'],
}

/** Applies a command to the model; returns false when the database must refuse the command. */
export function command(vehicle: VehicleModel, requested: Command): boolean {
  switch (requested.kind) {
    case 'state':
      return changeState(vehicle, requested.to)
    case 'add_task':
      vehicle.tasks.push({ status: 'pending', isReady: false })
      return true
    case 'pay':
      vehicle.isPaid = true
      return true
    case 'task':
      return setStatus(vehicle, vehicle.tasks[requested.nth], requested.to)
    case 'ready':
      return markReady(vehicle.tasks[requested.nth])
    case 'delete_task':
      return deleteTask(vehicle, requested.nth)
  }
}

function changeState(vehicle: VehicleModel, to: string): boolean {
  const from = stateOf(vehicle)
  if (from === to) return true
  if (!steps[from]?.includes(to)) return false
  setState(vehicle, to)
  vehicle.beforeTask = undefined
  return true
}

function setState(vehicle: VehicleModel, to: string) {
  vehicle.isCompleted = to === 'completed'
  if (to !== 'completed') vehicle.status = to
  // A held booking waits for the customer's confirmation. Only a booking with the status 'confirmed' can be held, so
  // every other status ends the hold.
  if (to !== 'confirmed') vehicle.hold = 'none'
}

function markReady(task: ModelTask | undefined): boolean {
  if (task?.status !== 'completed') return false
  task.isReady = true
  return true
}

function deleteTask(vehicle: VehicleModel, nth: number): boolean {
  const [task] = vehicle.tasks.splice(nth, 1)
  if (task?.status === 'in_progress') undoStart(vehicle)
  return task !== undefined
}

function setStatus(vehicle: VehicleModel, task: ModelTask | undefined, to: string): boolean {
  if (!task) return false
  if (task.status === to) return true
  task.status = to
  task.isReady = false
  if (to === 'in_progress') startByTask(vehicle)
  if (to === 'pending') undoStart(vehicle)
  return true
}

function startByTask(vehicle: VehicleModel) {
  const from = stateOf(vehicle)
  if (from !== 'confirmed' && from !== 'arrived') return
  setState(vehicle, 'in_work')
  vehicle.beforeTask = from
}

function undoStart(vehicle: VehicleModel) {
  const { beforeTask, tasks } = vehicle
  const isStarted = tasks.some(({ status }) => status !== 'pending' && status !== 'cancelled')
  if (stateOf(vehicle) !== 'in_work' || beforeTask === undefined || isStarted) return
  setState(vehicle, beforeTask)
  vehicle.beforeTask = undefined
}

const states = ['confirmed', 'arrived', 'arrived', 'in_work', 'completed', 'cancelled', 'no_show']
const statuses = [
  'pending',
  'in_progress',
  'in_progress',
  'waiting_on_parts',
  'waiting_on_customer',
  'on_hold',
  'completed',
  'completed',
  'cancelled',
]

/** Returns a sequence of commands, derived from random numbers between 0 and 1. */
export function randomCommands(random: () => number, many: number): Command[] {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
  return Array.from({ length: many }, (): Command => {
    const chance = random()
    // Prefers the first task. Otherwise a sequence would rarely complete all tasks of a booking.
    const nth = random() < 0.7 ? 0 : 1
    if (chance < 0.22) return { kind: 'state', to: pick(states) }
    if (chance < 0.34) return { kind: 'add_task' }
    if (chance < 0.7) return { kind: 'task', nth, to: pick(statuses) }
    if (chance < 0.88) return { kind: 'ready', nth }
    return chance < 0.91 ? { kind: 'delete_task', nth } : { kind: 'pay' }
  })
}

/**
 * Returns a generator of random numbers (mulberry32). The same seed gives the same numbers, so a developer can repeat a
 * failed test with the seed that the failure names.
 */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
