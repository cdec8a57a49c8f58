import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'
import { vehicleFacts } from './vehicle-details.ts'

const vehicle = z.object({
  id: z.string(),
  /**
   * The version of the vehicle's record, which grows with each change. `save_vehicle`, `change_vehicle_owner`,
   * `split_vehicle` and merges require the version as an argument.
   */
  version: z.int(),
  customerId: z.string(),
  year: z.nullable(z.string()),
  make: z.nullable(z.string()),
  model: z.nullable(z.string()),
  color: z.nullable(z.string()),
  plate: z.nullable(z.string()),
  vin: z.nullable(z.string()),
  /** A note for staff about the vehicle. */
  note: z.nullable(z.string()),
  /** The latest odometer reading in miles, and its date (yyyy-MM-dd). */
  miles: z.nullable(z.int()),
  milesOn: z.nullable(z.string()),
})
export type VehicleSummary = z.output<typeof vehicle>

const booking = z.object({
  id: z.string(),
  /** The start of the appointment: yyyy-MM-ddTHH:mm:ss, shop time. */
  startsAt: z.string(),
  /** The state of the booking, as in `contracts/bookings/day.ts`. */
  state: z.string(),
  service: z.string(),
  vehicleId: z.nullable(z.string()),
  /** The vehicle as entered with the booking: '2019 Subaru Outback'; '' when the booking names no vehicle. */
  vehicle: z.string(),
  bay: z.nullable(z.string()),
  willCome: z.boolean(),
  /**
   * The state of the booking, the statuses of its tasks, and whether its invoice is paid. From these values, pages
   * compute the state of the vehicle.
   */
  vehicleFacts,
})
export type BookingSummary = z.output<typeof booking>

const quote = z.object({
  id: z.string(),
  /** The time (ISO 8601) at which the quote request was created. */
  createdAt: z.string(),
  service: z.nullable(z.string()),
  status: z.enum(['pending', 'completed']),
})

const declinedJob = z.object({ title: z.string(), cents: z.int(), decidedAt: z.string() })

const estimate = z.object({
  id: z.string(),
  number: z.string(),
  vehicleId: z.nullable(z.string()),
  vehicle: z.string(),
  /** The title of the estimate's first job; '' for an estimate without jobs. */
  title: z.string(),
  jobs: z.int(),
  totalCents: z.int(),
  authorizedCents: z.int(),
  /** The state of the estimate: draft, sent, seen, approved, declined, expired, invoiced. */
  state: z.string(),
  createdAt: z.string(),
  /** The jobs that the customer declined and has not approved since. */
  declined: z.array(declinedJob),
})

const invoice = z.object({
  id: z.string(),
  number: z.nullable(z.string()),
  madeAt: z.string(),
  /** The total of the invoice in minor units (cents). */
  totalCents: z.int(),
  paidCents: z.int(),
  currency: z.string(),
  /** The latest known status of the invoice at Stripe: open, paid, void, uncollectible. */
  status: z.string(),
  vehicleId: z.nullable(z.string()),
  bookingId: z.nullable(z.string()),
})

const task = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  createdAt: z.string(),
  bookingId: z.nullable(z.string()),
})

/**
 * An email address that a visitor entered online under the customer's name, and the booking or quote request in which
 * they entered it. Nobody has confirmed that the email address is the customer's.
 */
const unconfirmedEmail = z.object({
  email: z.string(),
  bookingId: z.nullable(z.string()),
  quoteRequestId: z.nullable(z.string()),
  /** The time (ISO 8601) at which the visitor entered the email address. */
  enteredAt: z.string(),
})
export type TypedEmail = z.output<typeof unconfirmedEmail>

/**
 * The result of the database function `read_customer`, called over the REST API: the latest 200 records of each kind,
 * latest first (docs/product.md 16.6).
 */
export const customerRecord = z.object({
  /**
   * The current id of the customer. The id differs from the requested id after the customer was merged into another
   * customer.
   */
  id: z.string(),
  /** The version of the customer's record, which grows with each change; `save_customer` and merges require it. */
  version: z.int(),
  name: z.string(),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  /** The time (ISO 8601) at which the shop created the customer's record. */
  since: z.string(),
  /** Whether the customer receives a reminder before each appointment (docs/product.md 16.21). */
  getsReminders: z.boolean(),
  /** All known contact methods of the customer, including the main email address and phone number. */
  contacts: z.array(
    z.object({
      id: z.int(),
      kind: z.enum(['email', 'phone']),
      value: z.string(),
      /**
       * Whether the contact method is known to be the customer's; false for an email address that a visitor entered
       * online and nobody confirmed.
       */
      isConfirmed: z.boolean(),
    }),
  ),
  unconfirmedEmails: z.array(unconfirmedEmail),
  vehicles: z.array(vehicle),
  bookings: z.array(booking),
  quotes: z.array(z.extend(quote, { vehicleId: z.nullable(z.string()), vehicle: z.string() })),
  estimates: z.array(estimate),
  invoices: z.array(invoice),
  tasks: z.array(task),
  notes: z.array(
    z.object({ id: z.string(), note: z.string(), writtenBy: z.string(), createdAt: z.string() }),
  ),
  totals: z.object({
    /** The number of the customer's appointments that took place. */
    bookings: z.int(),
    noShows: z.int(),
    ahead: z.int(),
    /** The date of the customer's latest appointment: yyyy-MM-dd. */
    lastBookingDate: z.nullable(z.string()),
    emails: z.int(),
    paidCents: z.int(),
    openCents: z.int(),
    openEstimates: z.int(),
  }),
  /** Possible duplicates of the customer: other customers with the same email address or phone number. */
  maybeSame: z.array(
    z.object({
      id: z.string(),
      version: z.int(),
      name: z.string(),
      email: z.nullable(z.string()),
      phone: z.nullable(z.string()),
      since: z.string(),
      why: z.enum(['email', 'phone']),
    }),
  ),
  /** The merges of other customers into this customer. The list contains only merges that `unmerge` can still undo. */
  merges: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      mergedAt: z.string(),
      mergedBy: z.string(),
      undoUntil: z.string(),
    }),
  ),
})
export type CustomerRecord = z.output<typeof customerRecord>

/**
 * The result of the database function `read_vehicle`, called over the REST API; each list has the latest record first.
 */
export const vehicleRecord = z.extend(vehicle, {
  customer: z.object({
    id: z.string(),
    version: z.int(),
    name: z.string(),
    phone: z.nullable(z.string()),
    email: z.nullable(z.string()),
  }),
  odometer: z.array(
    z.object({
      id: z.string(),
      miles: z.int(),
      /** The date of the odometer reading: yyyy-MM-dd. */
      readOn: z.string(),
      bookingId: z.nullable(z.string()),
      recordedBy: z.string(),
    }),
  ),
  /**
   * The estimated miles that the vehicle is driven in a month, computed from the latest odometer readings; null when
   * there are too few readings.
   */
  milesAMonth: z.nullable(z.int()),
  bookings: z.array(
    z.extend(booking, {
      internalNote: z.nullable(z.string()),
      miles: z.nullable(z.int()),
      invoices: z.array(invoice),
    }),
  ),
  quotes: z.array(quote),
  estimates: z.array(estimate),
  /** Invoices for the vehicle that belong to none of its appointments. */
  invoices: z.array(invoice),
  tasks: z.array(task),
})
export type VehicleRecord = z.output<typeof vehicleRecord>

/**
 * The result of the database function `read_customer_highlights`, called over the REST API: hints about a customer,
 * which pages show beside an appointment, a phone booking or an estimate.
 */
export const customerHighlights = z.object({
  customerId: z.string(),
  /** The vehicle of the appointment for which the page requested the highlights. */
  vehicleId: z.nullable(z.string()),
  unconfirmedEmails: z.array(unconfirmedEmail),
  noShows: z.int(),
  /** The customer's latest appointment before the appointment for which the page requested the highlights. */
  lastHere: z.nullable(booking),
  /**
   * The customer's future appointments, soonest first, without the appointment for which the page requested the
   * highlights.
   */
  ahead: z.array(booking),
  declined: z.array(
    z.extend(declinedJob, {
      estimateId: z.string(),
      number: z.string(),
      vehicleId: z.nullable(z.string()),
    }),
  ),
  openEstimates: z.array(
    z.object({
      id: z.string(),
      number: z.string(),
      state: z.string(),
      vehicleId: z.nullable(z.string()),
    }),
  ),
})
export type CustomerHighlights = z.output<typeof customerHighlights>

/**
 * The result of the database function `search_everything`, called over the REST API: each kind of record with the best
 * match first (docs/product.md 16.7).
 */
export const searchResults = z.object({
  customers: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      phone: z.nullable(z.string()),
      email: z.nullable(z.string()),
      vehicles: z.int(),
      noShows: z.int(),
      /** The date of the customer's latest appointment: yyyy-MM-dd. */
      lastBookingDate: z.nullable(z.string()),
      nextBookingDate: z.nullable(z.string()),
      /** The time (ISO 8601) of the customer's latest quote request. */
      quoteRequestedOn: z.nullable(z.string()),
      /** Whether another customer has the same email address or phone number. */
      maybeSame: z.boolean(),
    }),
  ),
  vehicles: z.array(z.extend(vehicle, { customerName: z.string() })),
  bookings: z.array(z.extend(booking, { customerId: z.nullable(z.string()), name: z.string() })),
  documents: z.array(
    z.union([
      z.extend(estimate, { kind: z.literal('estimate'), name: z.string() }),
      z.extend(invoice, { kind: z.literal('invoice'), name: z.string() }),
    ]),
  ),
  /** The number of appointments and of documents that match the search; counting stops at 100. */
  counts: z.object({ bookings: z.int(), documents: z.int() }),
})
export type SearchResults = z.output<typeof searchResults>

const retainedRecord = z.object({
  kind: z.enum(['invoice', 'estimate']),
  id: z.string(),
  number: z.nullable(z.string()),
  /** The last day on which the shop retains the record: yyyy-MM-dd. */
  retainedUntil: z.string(),
})

const counts = z.object({
  bookings: z.int(),
  quotes: z.int(),
  estimates: z.int(),
  invoices: z.int(),
  vehicles: z.int(),
  emails: z.int(),
  notes: z.int(),
})

/**
 * The result of the database function `preview_erasure`, called over the REST API: the effects of erasing a customer
 * (docs/product.md 16.9).
 */
export const erasurePreview = z.object({
  id: z.string(),
  version: z.int(),
  name: z.string(),
  /**
   * The open records that prevent the erasure. `at` is the start of an appointment in shop time; for other records,
   * `at` is the time of creation.
   */
  open: z.array(
    z.object({
      kind: z.enum(['booking', 'estimate', 'invoice']),
      id: z.string(),
      title: z.nullable(z.string()),
      at: z.string(),
    }),
  ),
  /** Records that the law requires the shop to retain with the customer's name. */
  retained: z.array(retainedRecord),
  /**
   * The last day on which the shop retains a record of the customer: yyyy-MM-dd; null when the shop retains no record.
   */
  retainedUntil: z.nullable(z.string()),
  counts,
  /**
   * True when a nightly job of the shop removes erased data from the database's files; false when the database
   * provider removes it on its own schedule.
   */
  areFilesCleaned: z.boolean(),
  /**
   * Texts in other records from which the erasure would remove the customer's data: the number of these texts, and
   * the first twenty.
   */
  others: z.object({
    count: z.int(),
    texts: z.array(
      z.object({
        key: z.string(),
        /** The label of the field that contains the text: 'Shop note'. */
        label: z.string(),
        /** A description by which staff recognize the record: 'Sam Okafor, Oct 2, 2026'. */
        about: z.nullable(z.string()),
        /** The text, split into pieces: the erasure would replace the second piece, the fourth, and so on. */
        pieces: z.array(z.string()),
      }),
    ),
  }),
})
export type ErasurePreview = z.output<typeof erasurePreview>

/** The endpoints for exporting and erasing the data of a customer. */
export const customerEndpoints = {
  /** Downloads all data of the customer as a ZIP archive. */
  export: {
    method: 'POST',
    path: '/api/customers/export',
    rights: 'owner',
    stepUp: true,
    request: z.object({ customerId: z.uuid() }),
  },
  /**
   * Erases the customer. `version` is the version of the customer that the employee saw. `excludedKeys` lists the keys
   * of the texts in other records that remain unchanged. `confirmation` is the word that the employee typed to confirm.
   */
  erase: {
    method: 'POST',
    path: '/api/customers/erase',
    rights: 'owner',
    stepUp: true,
    request: z.object({
      customerId: z.uuid(),
      version: z.int(),
      excludedKeys: z.array(z.string().check(z.maxLength(200))).check(z.maxLength(20)),
      confirmation: z.literal('erase'),
    }),
    response: z.object({ ok: z.literal(true), retained: z.array(retainedRecord), counts }),
  },
} satisfies Record<string, Endpoint>
