import type { SampleCustomer, SampleVehicle } from './sample-customers.ts'

/** A booking of the sample week. */
export type SampleBooking = Omit<SampleCustomer, 'email'> &
  SampleVehicle & {
    /** The email address; null for a booking by phone without an email address. */
    readonly email: string | null
    /** The key with which sample tasks refer to the booking. */
    readonly key: string
    readonly day: number
    /** The preferred time 'HH:mm'. The booking gets the nearest time that is free. */
    readonly time: string
    /**
     * A word in the name of the service to book. If no service of the shop contains the word, another service is used.
     */
    readonly service: string
    readonly notes?: string
    readonly internalNote?: string
    /**
     * The state of the booking, by default confirmed. The stored state for 'here' depends on the current time:
     * 'arrived' in the hour before the appointment, 'in_work' during the appointment, otherwise confirmed.
     */
    readonly status?: 'cancelled' | 'no_show' | 'here' | 'in_work'
    /** The number of days between the day on which the customer books and the appointment. */
    readonly bookedDaysAhead: number
  }
