import * as z from 'zod/mini'
import { lineKinds } from '#domain/estimates/estimate-totals.ts'

/** Limits of one estimate; the database enforces them too. */
export const estimateLimits = {
  jobs: 40,
  /** The maximum of lines of all jobs together. */
  lines: 300,
  titleLength: 120,
  descriptionLength: 200,
  customerDescriptionLength: 1000,
  noteLength: 2000,
  /** Thousandths: 9,999.999 hours or pieces. */
  quantityThousandths: 9_999_999,
} as const

/**
 * The details of a line: the kind of a part (16 CCR 3356), the purpose of a fee, percentage or amount for a discount;
 * '' for other lines.
 */
export const lineSubtypes = {
  labor: [''],
  part: ['new', 'used', 'rebuilt', 'reconditioned', 'oem'],
  fee: ['other', 'hazardous_waste', 'battery', 'tire'],
  sublet: [''],
  discount: ['amount', 'percent'],
} as const

const line = z.object({
  kind: z.enum(lineKinds),
  subtype: z.string(),
  description: z.string(),
  /** Hours, pieces, or percent, in thousandths: 1.2 hours is 1200. */
  quantityThousandths: z.int(),
  /** The price of one hour or piece; 0 for a percentage. For a discount, the amount that it subtracts, not negative. */
  unitPriceCents: z.int(),
  isTaxable: z.boolean(),
})
export type EstimateLine = z.output<typeof line>

/** A measurement with its limit and its value when new: 2 mm of brake pad, limit 3, new 11. */
const measurement = z.object({
  value: z.number(),
  limit: z.number(),
  whenNew: z.number(),
  unit: z.string(),
})
export type Measurement = z.output<typeof measurement>

const job = z.object({
  /** Identifies the job in every revision. */
  key: z.uuid(),
  title: z.string(),
  /** The description for the customer. */
  customerDescription: z.string(),
  /** True when the job is needed now, false when it can wait. */
  isNeeded: z.boolean(),
  measurement: z.nullable(measurement),
  lines: z.array(line),
})
export type EstimateJob = z.output<typeof job>

/** The content of an estimate that staff edit: the argument of `save_estimate`. */
export const estimateDocument = z.object({
  customer: z.object({
    name: z.string(),
    /** '' without an address. */
    email: z.string(),
    phone: z.string(),
  }),
  vehicle: z.object({
    year: z.string(),
    make: z.string(),
    model: z.string(),
    plate: z.string(),
    vin: z.string(),
    odometerMiles: z.nullable(z.int()),
  }),
  customerNote: z.string(),
  /** A note for staff: it appears in no email, PDF or customer page. */
  internalNote: z.string(),
  /** yyyy-MM-dd: the last day on which the customer can approve. */
  goodUntil: z.string(),
  jobs: z.array(job),
})
export type EstimateDocument = z.output<typeof estimateDocument>

/** The ways in which a customer can authorize or decline (16 CCR 3354). */
export const authorizationMethods = [
  'web',
  'in_person',
  'phone',
  'text',
  'email',
  'signature',
  /** Staff withdrew a decision that someone made who received the link by mistake. */
  'shop',
] as const

/** One line of the authorization ledger: the decision about one job. Amounts are cents, tax included. */
const authorization = z.object({
  id: z.int(),
  /** The id of the batch: lines that were decided together share it. */
  batchId: z.string(),
  revision: z.int(),
  /** SHA-256 of the frozen revision, hexadecimal. */
  revisionHash: z.string(),
  jobKey: z.string(),
  jobTitle: z.string(),
  /** 'withdrawn' cancels an approval. */
  decision: z.enum(['approved', 'declined', 'withdrawn']),
  amountCents: z.int(),
  /** The total amount authorized after this line. */
  runningTotalCents: z.int(),
  method: z.enum(authorizationMethods),
  decidedByName: z.string(),
  relationship: z.string(),
  /** The number called or the address written to; '' for a decision in person. */
  contact: z.string(),
  /** The words of the customer. */
  statement: z.string(),
  wantsPartsBack: z.boolean(),
  /** ISO 8601: when the customer decided. */
  decidedAt: z.string(),
  recordedBy: z.string(),
  /** Why the decision no longer counts; null while it counts. */
  voidBecause: z.nullable(z.enum(['customer', 'vehicle', 'wrong_recipient'])),
})
export type Authorization = z.output<typeof authorization>

/** Why a draft cannot be sent yet. */
const estimateProblems = [
  'name_missing',
  'no_jobs',
  'total_too_large',
  'title_missing',
  'no_lines',
  'discount_above_job',
  'description_missing',
  'generic_supplies',
  'hazardous_waste_needs_epa',
] as const

const problem = z.object({
  code: z.enum(estimateProblems),
  /** Null for a problem of the whole estimate. */
  jobKey: z.nullable(z.string()),
  /** Counted from 1; null for a problem of the whole job. */
  line: z.nullable(z.int()),
})
export type EstimateProblem = z.output<typeof problem>

/** The states of an estimate. */
export const estimateStates = [
  'draft',
  'sent',
  'seen',
  'approved',
  'declined',
  'expired',
  'invoiced',
] as const
export type EstimateState = (typeof estimateStates)[number]

const changedDetails = z.nullable(
  z.record(z.string(), z.nullable(z.union([z.string(), z.number()]))),
)

/** One entry of the history of a sent estimate. */
const estimateEvent = z.object({
  id: z.int(),
  /** customer_changed and vehicle_changed (another record) void approvals; details_changed does not. */
  kind: z.enum([
    'details_changed',
    'customer_changed',
    'vehicle_changed',
    'address_changed',
    'relinked',
  ]),
  /** The changed fields; null when the kind is sufficient. */
  before: changedDetails,
  after: changedDetails,
  changedBy: z.string(),
  /** ISO 8601 */
  at: z.string(),
})
export type EstimateEvent = z.output<typeof estimateEvent>

const linked = z.object({ id: z.string(), label: z.string(), state: z.string() })

/** The result of the data service's `read_estimate` (docs/product.md 15). Instants are ISO 8601. */
export const estimate = z.object({
  id: z.string(),
  /** 'E-0093' */
  number: z.string(),
  /** The version that a save must name. */
  version: z.int(),
  savedAt: z.string(),
  savedBy: z.string(),
  revision: z.int(),
  /** Whether the revision cannot be edited any more; the next save starts the next revision. */
  isFrozen: z.boolean(),
  /** SHA-256 of the frozen revision, hexadecimal; null for a draft. */
  revisionHash: z.nullable(z.string()),
  state: z.enum(estimateStates),
  /** When the revision that the customer has was sent. */
  sentAt: z.nullable(z.string()),
  /** The address to which that revision was last sent. */
  sentTo: z.nullable(z.string()),
  seenAt: z.nullable(z.string()),
  decidedAt: z.nullable(z.string()),
  /** In ten-thousandths of a percent, as stored with the estimate: 91250. */
  taxRate: z.int(),
  /** The tax rate that a new estimate would have. */
  todaysTaxRate: z.int(),
  document: estimateDocument,
  problems: z.array(problem),
  /** The jobs of the document in order, each with its authorized amount in cents; 0 when it is not approved. */
  jobs: z.array(
    z.object({
      key: z.string(),
      totalCents: z.int(),
      authorizedCents: z.int(),
      /** The latest decision about the job, in any revision. */
      decision: z.nullable(z.enum(['approved', 'declined', 'withdrawn'])),
      /** Whether title and lines are the same as at that decision; false without a decision. */
      isSameWork: z.boolean(),
      taskId: z.nullable(z.string()),
    }),
  ),
  authorizedCents: z.int(),
  authorizations: z.array(authorization),
  /** Oldest first. */
  history: z.array(estimateEvent),
  /** The path of the customer's page; null before the first revision was sent. */
  customerPath: z.nullable(z.string()),
  bookingId: z.nullable(z.string()),
  quoteRequestId: z.nullable(z.string()),
  /** The quote request, appointment, tasks, invoices and payments of the same repair. */
  repairRecords: z.array(
    z.object({
      kind: z.enum(['quote', 'booking', 'estimate', 'task', 'invoice', 'payment']),
      id: z.string(),
      label: z.string(),
      state: z.string(),
      at: z.string(),
    }),
  ),
  invoice: z.nullable(
    z.object({
      /** claimed (being created), made, failed */
      state: z.string(),
      number: z.nullable(z.string()),
      invoiceId: z.nullable(z.string()),
      totalCents: z.int(),
    }),
  ),
  /** Emails about this estimate, newest first. */
  emails: z.array(z.extend(linked, { at: z.string(), recipient: z.string() })),
})
export type Estimate = z.output<typeof estimate>

/** The result of `list_estimates`: the newest 50 that match. */
export const estimateList = z.array(
  z.object({
    id: z.string(),
    number: z.string(),
    customerName: z.string(),
    vehicle: z.string(),
    state: z.enum(estimateStates),
    totalCents: z.int(),
    /** The total of the invoice in cents; null without an invoice. */
    invoicedCents: z.nullable(z.int()),
    authorizedCents: z.int(),
    jobs: z.int(),
    approvedJobs: z.int(),
    changedAt: z.string(),
    bookingId: z.nullable(z.string()),
  }),
)
export type EstimateListEntry = z.output<typeof estimateList>[number]

/** Jobs saved for reuse: the result of `find_canned_jobs`. */
export const cannedJobs = z.array(z.object({ id: z.string(), job }))
export type CannedJob = z.output<typeof cannedJobs>[number]

/** The result of `save_estimate`, `use_todays_tax_rate`, `record_authorization` and `freeze_estimate`. */
export const savedEstimate = z.object({
  version: z.int(),
  revision: z.int(),
  savedAt: z.string(),
  totalCents: z.int(),
  problems: z.array(problem),
})
export type SavedEstimate = z.output<typeof savedEstimate>

/**
 * The frozen revision as the customer sees it, returned to the server by `read_sent_revision`: without internal note
 * and VIN. Each job has its total from the database.
 */
export const sentRevision = z.object({
  estimateId: z.string(),
  bookingId: z.nullable(z.string()),
  number: z.string(),
  revision: z.int(),
  revisionHash: z.string(),
  /** The customer can decide while it is open; it is closed after it was invoiced. */
  state: z.enum(['open', 'decided', 'expired', 'closed']),
  customerName: z.string(),
  /** The customer's current address, which may differ from the one in the frozen revision. */
  customerEmail: z.string(),
  /** The number of the link that opens the page: a new link invalidates the earlier ones. */
  linkVersion: z.int(),
  vehicle: z.object({ year: z.string(), make: z.string(), model: z.string() }),
  customerNote: z.string(),
  goodUntil: z.string(),
  sentAt: z.nullable(z.string()),
  taxRate: z.int(),
  jobs: z.array(
    z.extend(job, {
      totalCents: z.int(),
      taxCents: z.int(),
      decision: z.nullable(z.enum(['approved', 'declined', 'withdrawn'])),
      authorizedCents: z.int(),
      /** Whether title and lines are the same as at the last decision. */
      isSameWork: z.boolean(),
    }),
  ),
  authorizedCents: z.int(),
  authorizations: z.array(authorization),
})
export type SentRevision = z.output<typeof sentRevision>
