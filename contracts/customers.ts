import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'
import { vehicleFacts } from './vehicle-details.ts'

const vehicle = z.object({
  id: z.string(),
  /** What `save_vehicle`, `change_vehicle_owner`, `split_vehicle` and a merge name. */
  version: z.int(),
  customerId: z.string(),
  year: z.nullable(z.string()),
  make: z.nullable(z.string()),
  model: z.nullable(z.string()),
  color: z.nullable(z.string()),
  plate: z.nullable(z.string()),
  vin: z.nullable(z.string()),
  /** What is worth knowing of it, for staff. */
  note: z.nullable(z.string()),
  /** What the odometer said last, and the date (yyyy-MM-dd). */
  miles: z.nullable(z.int()),
  milesOn: z.nullable(z.string()),
})
export type VehicleSummary = z.output<typeof vehicle>

const booking = z.object({
  id: z.string(),
  /** yyyy-MM-ddTHH:mm:ss, shop time. */
  startsAt: z.string(),
  /** As in `contracts/bookings/day.ts`. */
  state: z.string(),
  service: z.string(),
  vehicleId: z.nullable(z.string()),
  /** '2019 Subaru Outback' as it was booked, or ''. */
  vehicle: z.string(),
  bay: z.nullable(z.string()),
  willCome: z.boolean(),
  /** What the state of the vehicle depends on. */
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
  /** Of its first job, or ''. */
  title: z.string(),
  jobs: z.int(),
  totalCents: z.int(),
  authorizedCents: z.int(),
  /** draft, sent, seen, approved, declined, expired, invoiced */
  state: z.string(),
  createdAt: z.string(),
  /** What its customer declined last. */
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
  /** The processor's word when it was last heard of: open, paid, void, uncollectible. */
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

/** An address that was typed online in a customer's name and is not known to be theirs, with the record it came with. */
const typedEmail = z.object({
  email: z.string(),
  bookingId: z.nullable(z.string()),
  quoteRequestId: z.nullable(z.string()),
  /** ISO 8601 */
  typedAt: z.string(),
})
export type TypedEmail = z.output<typeof typedEmail>

/** What the data service's `read_customer` answers: the latest 200 of each kind, latest first (docs/product.md 16.6). */
export const customerRecord = z.object({
  /** Who it is now: another id than was asked for, once they were merged. */
  id: z.string(),
  /** What `save_customer` and a merge name. */
  version: z.int(),
  name: z.string(),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  /** ISO 8601 */
  since: z.string(),
  /** Whether a reminder goes to them before a visit (docs/product.md 16.21). */
  getsReminders: z.boolean(),
  /** All that they are known by, those above too. */
  contacts: z.array(
    z.object({
      id: z.int(),
      kind: z.enum(['email', 'phone']),
      value: z.string(),
      /** False for an address that was only typed online. */
      isConfirmed: z.boolean(),
    }),
  ),
  typedEmails: z.array(typedEmail),
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
    /** How often they were here. */
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
  /** Who shares an address or a number with them. */
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
  /** Merges that can be taken apart, by `unmerge`. */
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

/** What the data service's `read_vehicle` answers; lists are latest first. */
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
  /** By its last readings; null while they say too little. */
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
  /** Those that belong to none of the visits. */
  invoices: z.array(invoice),
  tasks: z.array(task),
})
export type VehicleRecord = z.output<typeof vehicleRecord>

/** What the data service's `read_customer_highlights` answers, for an appointment's panel, a call, an estimate. */
export const customerHighlights = z.object({
  customerId: z.string(),
  /** Of the appointment that was asked about. */
  vehicleId: z.nullable(z.string()),
  typedEmails: z.array(typedEmail),
  noShows: z.int(),
  /** The visit before it. */
  lastHere: z.nullable(booking),
  /** What else stands ahead, soonest first. */
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

/** What the data service's `search_everything` answers, each kind best first (docs/product.md 16.7). */
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
      /** ISO 8601, of their latest quote request. */
      quoteRequestedOn: z.nullable(z.string()),
      /** Shares an address or a number with somebody. */
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
  /** Up to 100. */
  counts: z.object({ bookings: z.int(), documents: z.int() }),
})
export type SearchResults = z.output<typeof searchResults>

const retainedRecord = z.object({
  kind: z.enum(['invoice', 'estimate']),
  id: z.string(),
  number: z.nullable(z.string()),
  /** yyyy-MM-dd: the last day on which it stays. */
  keptUntil: z.string(),
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

/** What the data service's `preview_erasure` answers: what erasing a person would do (docs/product.md 16.9). */
export const erasurePreview = z.object({
  id: z.string(),
  version: z.int(),
  name: z.string(),
  /** What has to end first; `at` is the start of a visit in shop time, else when it was made. */
  open: z.array(
    z.object({
      kind: z.enum(['booking', 'estimate', 'invoice']),
      id: z.string(),
      title: z.nullable(z.string()),
      at: z.string(),
    }),
  ),
  /** Stays, with the name in it, because the law asks for it. */
  retained: z.array(retainedRecord),
  /** yyyy-MM-dd; null when nothing stays. */
  keptUntil: z.nullable(z.string()),
  counts,
  /** Whether a nightly job removes traces from the files of the database; else its provider decides. */
  areFilesCleaned: z.boolean(),
  /** Texts of other records that would change: how many there are, and the first twenty. */
  others: z.object({
    count: z.int(),
    texts: z.array(
      z.object({
        key: z.string(),
        /** 'Shop note' */
        label: z.string(),
        /** By what staff recognize the record: 'Sam Okafor, Oct 2, 2026'. */
        about: z.nullable(z.string()),
        /** The text; every second piece is what would be replaced. */
        pieces: z.array(z.string()),
      }),
    ),
  }),
})
export type ErasurePreview = z.output<typeof erasurePreview>

/** Handing over and erasing a person's data. */
export const customerEndpoints = {
  /** One ZIP archive of everything. */
  export: {
    method: 'POST',
    path: '/api/customers/export',
    caller: 'admin',
    request: z.object({ customerId: z.uuid() }),
  },
  /**
   * `version` is the one that was seen, `excludedKeys` the keys of texts of other records that stay as they are, `word` what
   * was typed to go on.
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
