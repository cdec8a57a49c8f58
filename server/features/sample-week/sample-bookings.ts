import {
  sampleVehicle,
  type SampleVehicle,
  type SampleCustomer,
  nora,
  marcus,
  priya,
  tomas,
  june,
  hector,
  dele,
  ingrid,
  ruben,
  mina,
  walter,
  sana,
} from './sample-customers.ts'

export type SampleBooking = Omit<SampleCustomer, 'email'> &
  SampleVehicle & {
    /** The email address; null for a booking by phone without one. */
    readonly email: string | null
    /** The key by which tasks refer to the booking. */
    readonly key: string
    readonly day: number
    /** The time 'HH:mm'; the booking gets the nearest free one. */
    readonly time: string
    /** A word in the name of the service; a shop without such a service uses another one. */
    readonly service: string
    readonly notes?: string
    readonly internalNote?: string
    /**
     * The state of the booking, by default confirmed. 'here' becomes arrived in the hour before its time and in work
     * during it; 'in_work' is always a vehicle whose task has begun.
     */
    readonly status?: 'cancelled' | 'no_show' | 'here' | 'in_work'
    /** The number of days between the booking and its appointment. */
    readonly bookedDaysAhead: number
  }

/**
 * The bookings of an ordinary week. Days are counted as open days from today (0); a booking without a free time on its
 * day is left out.
 */
export const sampleBookings: readonly SampleBooking[] = [
  {
    ...nora,
    ...sampleVehicle('2017', 'Honda', 'Civic', 'Blue'),
    key: 'civic',
    day: -3,
    time: '11:00',
    service: 'oil',
    bookedDaysAhead: 4,
  },
  {
    ...marcus,
    ...sampleVehicle('2014', 'Ford', 'F-150', 'White'),
    key: 'f150',
    day: -3,
    time: '13:00',
    service: 'brake',
    notes: 'Grinds when braking from highway speed.',
    bookedDaysAhead: 6,
  },
  {
    ...priya,
    ...sampleVehicle('2020', 'Toyota', 'RAV4', 'Red'),
    key: 'rav4',
    day: -2,
    time: '11:30',
    service: 'inspection',
    bookedDaysAhead: 3,
  },
  {
    ...tomas,
    ...sampleVehicle('2011', 'BMW', '328i', 'Black'),
    key: '328i',
    day: -2,
    time: '14:00',
    service: 'diagnostics',
    notes: 'Engine light since Tuesday, runs rough when cold.',
    status: 'in_work',
    bookedDaysAhead: 2,
  },
  {
    ...walter,
    ...sampleVehicle('2008', 'Buick', 'LaCrosse', 'Beige'),
    key: 'lacrosse-missed',
    day: -2,
    time: '16:00',
    service: 'battery',
    status: 'no_show',
    bookedDaysAhead: 8,
  },
  {
    ...june,
    ...sampleVehicle('2018', 'Subaru', 'Forester', 'Green'),
    key: 'forester',
    day: -1,
    time: '12:00',
    service: 'alignment',
    bookedDaysAhead: 5,
  },
  {
    ...hector,
    ...sampleVehicle('2009', 'Toyota', 'Tacoma', 'Silver'),
    key: 'tacoma',
    day: -1,
    time: '15:00',
    service: 'a/c',
    status: 'cancelled',
    bookedDaysAhead: 4,
  },
  {
    ...dele,
    ...sampleVehicle('2016', 'Mazda', 'CX-5', 'Gray'),
    key: 'cx5',
    day: 0,
    time: '11:00',
    service: 'oil',
    status: 'here',
    bookedDaysAhead: 2,
  },
  {
    ...ingrid,
    ...sampleVehicle('2013', 'Volvo', 'XC60', 'White'),
    key: 'xc60',
    day: 0,
    time: '13:00',
    service: 'brake',
    notes: 'Please call before ordering parts.',
    internalNote: 'Key is in the drop box.',
    status: 'in_work',
    bookedDaysAhead: 7,
  },
  {
    ...ruben,
    ...sampleVehicle('2015', 'Volkswagen', 'Golf', 'Yellow'),
    key: 'golf',
    day: 0,
    time: '16:00',
    service: 'battery',
    bookedDaysAhead: 1,
  },
  {
    ...mina,
    ...sampleVehicle('2021', 'Hyundai', 'Tucson', 'Blue'),
    key: 'tucson',
    day: 1,
    time: '11:00',
    service: 'maintenance',
    notes: 'Waits at the shop.',
    bookedDaysAhead: 9,
  },
  {
    ...walter,
    ...sampleVehicle('2008', 'Buick', 'LaCrosse', 'Beige'),
    key: 'lacrosse',
    day: 1,
    time: '11:00',
    service: 'transmission',
    bookedDaysAhead: 5,
  },
  {
    ...june,
    email: null,
    ...sampleVehicle('2003', 'Toyota', 'Corolla', 'White'),
    key: 'corolla',
    day: 1,
    time: '15:30',
    service: 'oil',
    internalNote: 'Her father’s car; call her, not him.',
    bookedDaysAhead: 1,
  },
  {
    ...sana,
    ...sampleVehicle('2019', 'Kia', 'Soul', 'Orange'),
    key: 'soul',
    day: 2,
    time: '12:30',
    service: 'tune',
    bookedDaysAhead: 4,
  },
  {
    ...nora,
    ...sampleVehicle('2012', 'Nissan', 'Leaf', 'White'),
    key: 'leaf',
    day: 2,
    time: '16:00',
    service: 'battery',
    status: 'cancelled',
    bookedDaysAhead: 6,
  },
  {
    ...priya,
    ...sampleVehicle('2010', 'Lexus', 'RX 350', 'Gold'),
    key: 'rx350',
    day: 3,
    time: '13:30',
    service: 'pre-purchase',
    notes: 'The seller brings the car.',
    bookedDaysAhead: 5,
  },
  {
    ...hector,
    ...sampleVehicle('2009', 'Toyota', 'Tacoma', 'Silver'),
    key: 'tacoma-again',
    day: 3,
    time: '13:30',
    service: 'a/c',
    bookedDaysAhead: 4,
  },
]
