import type { SampleBooking } from './sample-booking.ts'
import { sampleCustomer, sampleVehicle } from './sample-customers.ts'

/** The number of vehicles on each of the next six open days. */
const vehiclesADay = 10

/** The bookings of an ordinary day, each with a time and a word in the name of the service to book. */
const ordinaryDay = [
  ['11:00', 'oil'],
  ['11:00', 'brake'],
  ['11:30', 'battery'],
  ['12:00', 'inspection'],
  ['12:30', 'tune'],
  ['13:00', 'alignment'],
  ['14:00', 'oil'],
  ['15:00', 'a/c'],
  ['15:30', 'diagnostics'],
  ['16:30', 'oil'],
] as const

const firstNames = [
  'Alma',
  'Bruno',
  'Celia',
  'Dario',
  'Elsa',
  'Felix',
  'Greta',
  'Hugo',
  'Iris',
  'Jonas',
  'Kira',
  'Leon',
  'Maren',
]
const lastNames = ['Abernal', 'Bexley', 'Corvane', 'Dunmere', 'Eastlow']
const vehicles = [
  sampleVehicle('2019', 'Honda', 'CR-V', 'Gray'),
  sampleVehicle('2012', 'Ford', 'Focus', 'Red'),
  sampleVehicle('2017', 'Toyota', 'Camry', 'Silver'),
  sampleVehicle('2015', 'Chevrolet', 'Malibu', 'Black'),
  sampleVehicle('2021', 'Subaru', 'Outback', 'Blue'),
  sampleVehicle('2010', 'Nissan', 'Altima', 'White'),
  sampleVehicle('2016', 'Jeep', 'Cherokee', 'Green'),
  sampleVehicle('2018', 'Hyundai', 'Elantra', 'White'),
  sampleVehicle('2014', 'Mazda', '3', 'Red'),
  sampleVehicle('2020', 'Kia', 'Sportage', 'Silver'),
  sampleVehicle('2013', 'GMC', 'Sierra', 'Black'),
]

/** The last two digits of the first phone number (555-01xx) that no other sample customer has. */
const firstDigits = 43

/**
 * Returns ordinary bookings for the next six open days, so that, together with the bookings in `named`, ten vehicles
 * are expected on each of these days.
 */
export function bookingsOfSixDays(named: readonly SampleBooking[]): SampleBooking[] {
  const days = [1, 2, 3, 4, 5, 6]
  const slots = days.flatMap((day) => {
    const expected = named.filter((booking) => booking.day === day && !booking.status)
    return ordinaryDay.slice(0, vehiclesADay - expected.length).map((work) => ({ day, work }))
  })
  return slots.map(ordinaryBooking)
}

type Slot = { readonly day: number; readonly work: (typeof ordinaryDay)[number] }

function ordinaryBooking({ day, work: [time, service] }: Slot, index: number): SampleBooking {
  return {
    ...customerOf(index),
    ...vehicleOf(index),
    key: `day-${day}-${index}`,
    day,
    time,
    service,
    bookedDaysAhead: 1 + (index % 9),
  }
}

/**
 * Creates a customer with a unique phone number, because the shop links all bookings with the same phone number to
 * one customer.
 */
function customerOf(index: number) {
  const first = firstNames[index % firstNames.length]
  const last = lastNames[index % lastNames.length]
  return sampleCustomer(`${first} ${last}`, String((firstDigits + index) % 100).padStart(2, '0'))
}

function vehicleOf(index: number) {
  const vehicle = vehicles[index % vehicles.length]
  if (!vehicle) throw new Error('The list of sample vehicles is empty.')
  return vehicle
}
