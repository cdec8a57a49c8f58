import type { SampleCustomer, SampleVehicle } from './sample-customers.ts'

/** A booking of the sample week. */
export type SampleBooking = Omit<SampleCustomer, 'email'> &
  SampleVehicle & {
    /** The email address; null for a booking by phone without one. */
    readonly email: string | null
    /** The key by which tasks refer to the booking. */
    readonly key: string
    readonly day: number
    /** The time 'HH:mm'; the booking gets the nearest free one. */
    readonly time: string
    /**
     * A word by which the service is found: its name contains the word. A shop without such a service uses another
     * service.
     */
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
