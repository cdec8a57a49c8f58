import type { TaskPriority, TaskStatus } from '#domain/tasks/task-status.ts'
import {
  sampleVehicle,
  type SampleVehicle,
  sampleCustomer,
  type SampleCustomer,
  nora,
  marcus,
  priya,
  june,
  walter,
} from './sample-customers.ts'

/** A quote request of the sample week.  */

export type SampleQuote = SampleCustomer &
  SampleVehicle & {
    readonly serviceType: string | null
    readonly description: string
    readonly hoursAgo: number
    readonly reply?: string
  }

export type SampleTask = {
  /** The key of the sample booking to which the task belongs; absent for a task without a booking. */
  readonly booking?: string
  readonly title: string
  readonly description: string
  readonly priority: TaskPriority
  /** The position of the assigned employee in the shop's list of employees, starting at 1. */
  readonly employee?: number
  readonly dueInDays?: number
  readonly createdHoursAgo: number
  /** The status changes of the task, oldest first. Every task begins with the status 'pending'. */
  readonly changes: readonly { to: TaskStatus; note?: string; hoursAgo: number }[]
  readonly notes: readonly { note: string; hoursAgo: number }[]
  readonly readyHoursAgo?: number
}

export type SampleInvoice = SampleCustomer & {
  readonly memo: string
  readonly lines: readonly { description: string; amountCents: number; quantity: number }[]
  readonly dueDays: number
  readonly isPaid: boolean
}

export const sampleQuotes: readonly SampleQuote[] = [
  {
    ...walter,
    ...sampleVehicle('2008', 'Buick', 'LaCrosse'),
    serviceType: 'transmission',
    description:
      'The transmission shifts hard from second to third gear when it is cold. The car has 118,000 miles.',
    hoursAgo: 3,
  },
  {
    ...sampleCustomer('Odette Marlow', '33'),
    ...sampleVehicle('2016', 'Jeep', 'Wrangler'),
    serviceType: 'performance',
    description:
      'How much would a two-inch suspension lift with an alignment cost, parts included?',
    hoursAgo: 19,
  },
  {
    ...marcus,
    ...sampleVehicle('2014', 'Ford', 'F-150'),
    serviceType: 'brake-service',
    description: 'I need rear brake pads and rotors, after you replaced the front ones.',
    hoursAgo: 44,
    reply:
      'Rear pads and rotors for your F-150 come to about $420 with parts and labor. We can usually do the work on the day you bring the truck.',
  },
]

export const sampleTasks: readonly SampleTask[] = [
  {
    booking: 'xc60',
    title: 'Front brakes, XC60',
    description:
      'Replace the front brake pads and rotors. Call the customer before ordering parts.',
    priority: 'high',
    employee: 1,
    dueInDays: 0,
    createdHoursAgo: 22,
    changes: [
      { to: 'in_progress', hoursAgo: 5 },
      { to: 'waiting_on_parts', note: 'Rotors arrive tomorrow morning.', hoursAgo: 2 },
    ],
    notes: [{ note: 'Called the customer, who chose the better pads.', hoursAgo: 3 }],
  },
  {
    booking: '328i',
    title: 'Find the misfire, 328i',
    description:
      'Fault code P0303 when the engine is cold. Swapped coil and plug between cylinders 2 and 3.',
    priority: 'urgent',
    employee: 2,
    dueInDays: 1,
    createdHoursAgo: 46,
    changes: [
      { to: 'in_progress', hoursAgo: 40 },
      {
        to: 'waiting_on_customer',
        note: 'Offered three new coils, waiting for the approval of the customer.',
        hoursAgo: 20,
      },
    ],
    notes: [
      { note: 'The misfire moved to cylinder 2 with the coil.', hoursAgo: 30 },
      { note: 'Left a message.', hoursAgo: 21 },
    ],
  },
  {
    booking: 'f150',
    title: 'Front brakes, F-150',
    description: 'Replace pads and rotors, clean the slide pins, test the car on the road.',
    priority: 'medium',
    employee: 3,
    createdHoursAgo: 72,
    changes: [
      { to: 'in_progress', hoursAgo: 70 },
      { to: 'completed', note: 'Road test fine.', hoursAgo: 66 },
    ],
    notes: [{ note: 'Rear pads are down to 3 mm. Sent the customer a quote.', hoursAgo: 67 }],
    readyHoursAgo: 65,
  },
  {
    title: 'Order oil filters',
    description: 'Order two boxes of oil filters in the usual sizes.',
    priority: 'low',
    dueInDays: 3,
    createdHoursAgo: 27,
    changes: [],
    notes: [],
  },
]

export const sampleInvoices: readonly SampleInvoice[] = [
  {
    ...marcus,
    memo: 'Front brakes, 2014 Ford F-150',
    lines: [
      { description: 'Brake pads, front axle', amountCents: 8_900, quantity: 1 },
      { description: 'Brake rotor, front', amountCents: 7_450, quantity: 2 },
      { description: 'Labor', amountCents: 16_500, quantity: 1 },
    ],
    dueDays: 7,
    isPaid: true,
  },
  {
    ...nora,
    memo: 'Oil change, 2017 Honda Civic',
    lines: [{ description: 'Synthetic oil and filter', amountCents: 7_995, quantity: 1 }],
    dueDays: 7,
    isPaid: true,
  },
  {
    ...priya,
    memo: 'Multipoint inspection, 2020 Toyota RAV4',
    lines: [
      { description: 'Inspection with written list', amountCents: 9_500, quantity: 1 },
      { description: 'Wiper blade', amountCents: 1_850, quantity: 2 },
    ],
    dueDays: 7,
    isPaid: false,
  },
  {
    ...june,
    memo: 'Alignment, 2018 Subaru Forester',
    lines: [{ description: 'Four-wheel alignment', amountCents: 12_900, quantity: 1 }],
    dueDays: 14,
    isPaid: false,
  },
]
