import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'
import { vehicleFacts } from './vehicle-details.ts'

const vehicle = z.object({
  id: z.string(),
  /** The version that `save_vehicle`, `change_vehicle_owner`, `split_vehicle` and a merge must name. */
  version: z.int(),
  customerId: z.string(),
  year: z.nullable(z.string()),
  make: z.nullable(z.string()),
  model: z.nullable(z.string()),
  color: z.nullable(z.string()),
  plate: z.nullable(z.string()),
  vin: z.nullable(z.string()),
  /** A note about the vehicle, for staff. */
  note: z.nullable(z.string()),
  /** The latest odometer reading, and its date (yyyy-MM-dd). */
  miles: z.nullable(z.int()),
  milesOn: z.nullable(z.string()),
})
export type VehicleSummary = z.output<typeof vehicle>

const booking = z.object({
  id: z.string(),
  /** yyyy-MM-ddTHH:mm:ss, shop time. */
  startsAt: z.string(),
  /** The state as in `contracts/bookings/day.ts`. */
  state: z.string(),
  service: z.string(),
  vehicleId: z.nullable(z.string()),
  /** '2019 Subaru Outback' as entered with the booking, or ''. */
  vehicle: z.string(),
  bay: z.nullable(z.string()),
  willCome: z.boolean(),
  /** The facts that the state of the vehicle depends on. */
  vehicleFacts,
})
export type BookingSummary = z.output<typeof booking>

const quote = z.object({
  id: z.string(),
  /** ISO 8601 */
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
  /** The title of the first job, or ''. */
  title: z.string(),
  jobs: z.int(),
  totalCents: z.int(),
  authorizedCents: z.int(),
  /** draft, sent, seen, approved, declined, expired, invoiced */
  state: z.string(),
  createdAt: z.string(),
  /** The jobs that the customer declined last. */
  declined: z.array(declinedJob),
})

const invoice = z.object({
  id: z.string(),
  number: z.nullable(z.string()),
  madeAt: z.string(),
  /** Minor units (cents). */
  totalCents: z.int(),
  paidCents: z.int(),
  currency: z.string(),
  /** The latest known status at Stripe: open, paid, void, uncollectible. */
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
 * An email address that was entered online under the customer's name and is not confirmed as theirs, with the record
 * that it was entered in.
 */
const unconfirmedEmail = z.object({
  email: z.string(),
  bookingId: z.nullable(z.string()),
  quoteRequestId: z.nullable(z.string()),
  /** ISO 8601 */
  enteredAt: z.string(),
})
export type TypedEmail = z.output<typeof unconfirmedEmail>

/**
 * The result of the data service's `read_customer`: the latest 200 of each kind, latest first (docs/product.md 16.6).
 */
export const customerRecord = z.object({
  /** The current id of the customer: after a merge it differs from the id requested. */
  id: z.string(),
  /** The version that `save_customer` and a merge must name. */
  version: z.int(),
  name: z.string(),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  /** ISO 8601 */
  since: z.string(),
  /** Whether the customer receives a reminder before an appointment (docs/product.md 16.21). */
  getsReminders: z.boolean(),
  /** All known contact methods, including the email and phone above. */
  contacts: z.array(
    z.object({
      id: z.int(),
      kind: z.enum(['email', 'phone']),
      value: z.string(),
      /** False for an address that was only entered online. */
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
    /** The number of appointments that took place. */
    bookings: z.int(),
    noShows: z.int(),
    ahead: z.int(),
    /** yyyy-MM-dd */
    lastBookingDate: z.nullable(z.string()),
    emails: z.int(),
    paidCents: z.int(),
    openCents: z.int(),
    openEstimates: z.int(),
  }),
  /** Customers with the same email address or phone number. */
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
  /** Merges that `unmerge` can undo. */
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

/** The result of the data service's `read_vehicle`; lists have the latest first. */
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
      /** yyyy-MM-dd */
      readOn: z.string(),
      bookingId: z.nullable(z.string()),
      recordedBy: z.string(),
    }),
  ),
  /** Estimated from the latest odometer readings; null when there are too few. */
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
  /** Invoices that belong to none of the appointments. */
  invoices: z.array(invoice),
  tasks: z.array(task),
})
export type VehicleRecord = z.output<typeof vehicleRecord>

/**
 * The result of the data service's `read_customer_highlights`, shown beside an appointment, a phone booking or an
 * estimate.
 */
export const customerHighlights = z.object({
  customerId: z.string(),
  /** The vehicle of the appointment that the highlights were requested for. */
  vehicleId: z.nullable(z.string()),
  unconfirmedEmails: z.array(unconfirmedEmail),
  noShows: z.int(),
  /** The appointment before it. */
  lastHere: z.nullable(booking),
  /** Other future appointments, soonest first. */
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

/** The result of the data service's `search_everything`: each kind with the best match first (docs/product.md 16.7). */
export const searchResults = z.object({
  customers: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      phone: z.nullable(z.string()),
      email: z.nullable(z.string()),
      vehicles: z.int(),
      noShows: z.int(),
      /** yyyy-MM-dd */
      lastBookingDate: z.nullable(z.string()),
      nextBookingDate: z.nullable(z.string()),
      /** ISO 8601: the time of the latest quote request. */
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
  /** Counted up to 100. */
  counts: z.object({ bookings: z.int(), documents: z.int() }),
})
export type SearchResults = z.output<typeof searchResults>

const retainedRecord = z.object({
  kind: z.enum(['invoice', 'estimate']),
  id: z.string(),
  number: z.nullable(z.string()),
  /** yyyy-MM-dd: the last day on which the record is retained. */
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

/** The result of the data service's `preview_erasure`: the effects of erasing a customer (docs/product.md 16.9). */
export const erasurePreview = z.object({
  id: z.string(),
  version: z.int(),
  name: z.string(),
  /**
   * The open records that prevent the erasure. `at` is an appointment's start in shop time, or the time a record was
   * created.
   */
  open: z.array(
    z.object({
      kind: z.enum(['booking', 'estimate', 'invoice']),
      id: z.string(),
      title: z.nullable(z.string()),
      at: z.string(),
    }),
  ),
  /** Records that the law requires the shop to retain, with the customer's name. */
  retained: z.array(retainedRecord),
  /** yyyy-MM-dd; null when no record is retained. */
  retainedUntil: z.nullable(z.string()),
  counts,
  /**
   * Whether a nightly job removes erased data from the database's files; else the database provider does it on its own
   * schedule.
   */
  areFilesCleaned: z.boolean(),
  /** Texts of other records that would change: their number, and the first twenty. */
  others: z.object({
    count: z.int(),
    texts: z.array(
      z.object({
        key: z.string(),
        /** The name of the field: 'Shop note'. */
        label: z.string(),
        /** A text by which staff recognize the record: 'Sam Okafor, Oct 2, 2026'. */
        about: z.nullable(z.string()),
        /** The text in pieces; every second piece would be replaced. */
        pieces: z.array(z.string()),
      }),
    ),
  }),
})
export type ErasurePreview = z.output<typeof erasurePreview>

/** Exporting and erasing the data of a customer. */
export const customerEndpoints = {
  /** A ZIP archive of all data of the customer. */
  export: {
    method: 'POST',
    path: '/api/customers/export',
    caller: 'admin',
    request: z.object({ customerId: z.uuid() }),
  },
  /**
   * `version` is the seen version of the customer, `excludedKeys` the keys of texts of other records that stay
   * unchanged, `word` the word that the employee typed as confirmation.
   */
  erase: {
    method: 'POST',
    path: '/api/customers/erase',
    caller: 'admin',
    request: z.object({
      customerId: z.uuid(),
      version: z.int(),
      excludedKeys: z.array(z.string().check(z.maxLength(200))).check(z.maxLength(20)),
      confirmation: z.literal('erase'),
    }),
    response: z.object({ ok: z.literal(true), retained: z.array(retainedRecord), counts }),
  },
} satisfies Record<string, Endpoint>
