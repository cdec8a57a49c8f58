import * as z from 'zod/mini'
import { lineKinds } from '#domain/estimates/estimate-totals.ts'

/** Bounds of what one estimate may hold; the database keeps them too. */
export const estimateLimits = {
  jobs: 40,
  /** Of all jobs together. */
  lines: 300,
  titleLength: 120,
  descriptionLength: 200,
  customerDescriptionLength: 1000,
  noteLength: 2000,
  /** Thousandths: 9,999.999 hours or pieces. */
  thousandths: 9_999_999,
} as const

/** What the law wants to know of a part (16 CCR 3356), what a fee is for, how a discount is given; '' elsewhere. */
export const lineDetails = {
  labor: [''],
  part: ['new', 'used', 'rebuilt', 'reconditioned', 'oem'],
  fee: ['other', 'hazardous_waste', 'battery', 'tire'],
  sublet: [''],
  discount: ['amount', 'percent'],
} as const

const line = z.object({
  kind: z.enum(lineKinds),
  detail: z.string(),
  description: z.string(),
  /** Hours, pieces, or percent, in thousandths: 1.2 hours is 1200. */
  thousandths: z.int(),
  /** Of one hour or piece; of a percentage 0. A discount's is what it takes off, not below 0. */
  unitCents: z.int(),
  isTaxable: z.boolean(),
})
export type EstimateLine = z.output<typeof line>

/** Something that was measured, against its limit and against new: 2 mm of brake pad, limit 3, new 11. */
const measure = z.object({
  value: z.number(),
  limit: z.number(),
  whenNew: z.number(),
  unit: z.string(),
})
export type Measurement = z.output<typeof measure>

const job = z.object({
  /** Names the job in every revision. */
  key: z.uuid(),
  title: z.string(),
  /** What the customer reads. */
  plainWords: z.string(),
  /** Needed now; else it can wait. */
  isNeeded: z.boolean(),
  measure: z.nullable(measure),
  lines: z.array(line),
})
export type EstimateJob = z.output<typeof job>

/** What the shop writes, and what `save_estimate` takes. */
export const estimateDocument = z.object({
  customer: z.object({
    name: z.string(),
    /** '' when there is none. */
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
  /** For the shop alone: in no letter, PDF or private page. */
  internalNote: z.string(),
  /** yyyy-MM-dd, the last day on which it can be approved. */
  goodUntil: z.string(),
  jobs: z.array(job),
})
export type EstimateDocument = z.output<typeof estimateDocument>

/** How somebody said yes or no (16 CCR 3354). */
export const authorizationMethods = [
  'web',
  'in_person',
  'phone',
  'text',
  'email',
  'signature',
  /** The shop withdrew an answer of somebody who should never have had the link. */
  'shop',
] as const

/** One line of the ledger: what was decided of one job. Amounts are cents, tax included. */
const authorization = z.object({
  id: z.int(),
  /** Of what was decided in one act. */
  batchId: z.string(),
  revision: z.int(),
  /** SHA-256 of the frozen revision, hexadecimal. */
  revisionHash: z.string(),
  jobKey: z.string(),
  jobTitle: z.string(),
  /** withdrawn takes an approval back. */
  decision: z.enum(['approved', 'declined', 'withdrawn']),
  amountCents: z.int(),
  /** What is authorized in all after this line. */
  runningTotalCents: z.int(),
  method: z.enum(authorizationMethods),
  decidedByName: z.string(),
  relationship: z.string(),
  /** The number called or the address written to; '' in person. */
  contact: z.string(),
  /** What was said. */
  statement: z.string(),
  wantsPartsBack: z.boolean(),
  /** ISO 8601: when it was said. */
  decidedAt: z.string(),
  recordedBy: z.string(),
  /** Why it does not count any more; null while it does. */
  voidBecause: z.nullable(z.enum(['customer', 'vehicle', 'wrong_recipient'])),
})
export type Authorization = z.output<typeof authorization>

/** Why a draft cannot be handed over yet. */
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
  /** Null where it is of the whole estimate. */
  jobKey: z.nullable(z.string()),
  /** Counted from 1; null where it is of the whole job. */
  line: z.nullable(z.int()),
})
export type EstimateProblem = z.output<typeof problem>

/** Where an estimate is on its way. */
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

/** One line of the history of an estimate that was handed over. */
const estimateEvent = z.object({
  id: z.int(),
  /** customer_changed and vehicle_changed (another record) void approvals, details_changed does not. */
  kind: z.enum([
    'details_changed',
    'customer_changed',
    'vehicle_changed',
    'address_changed',
    'relinked',
  ]),
  /** The fields that changed; null where the kind says all. */
  before: changedDetails,
  after: changedDetails,
  changedBy: z.string(),
  /** ISO 8601 */
  at: z.string(),
})
export type EstimateEvent = z.output<typeof estimateEvent>

const linked = z.object({ id: z.string(), label: z.string(), state: z.string() })

/** What the data service's `read_estimate` answers (docs/product.md 15). Instants are ISO 8601. */
export const estimate = z.object({
  id: z.string(),
  /** 'E-0093' */
  number: z.string(),
  /** What a save names. */
  version: z.int(),
  savedAt: z.string(),
  savedBy: z.string(),
  revision: z.int(),
  /** Whether it cannot be edited any more; the next save begins the next revision. */
  isFrozen: z.boolean(),
  /** Of the frozen revision, hexadecimal; null of a draft. */
  revisionHash: z.nullable(z.string()),
  state: z.enum(estimateStates),
  /** Of the revision that the customer has. */
  sentAt: z.nullable(z.string()),
  /** The address to which that revision was sent last. */
  sentTo: z.nullable(z.string()),
  seenAt: z.nullable(z.string()),
  decidedAt: z.nullable(z.string()),
  /** In ten-thousandths of a percent, as stored on the document: 91250. */
  taxRate: z.int(),
  /** What a new one would be begun with. */
  todaysTaxRate: z.int(),
  document: estimateDocument,
  problems: z.array(problem),
  /** Of the jobs in the document, in their order: what each may cost by the ledger, in cents; 0 when not approved. */
  jobs: z.array(
    z.object({
      key: z.string(),
      totalCents: z.int(),
      authorizedCents: z.int(),
      /** What was last decided of it, at any revision. */
      decision: z.nullable(z.enum(['approved', 'declined', 'withdrawn'])),
      /** Whether title and lines are as they were at that decision; false before any. */
      isSameWork: z.boolean(),
      taskId: z.nullable(z.string()),
    }),
  ),
  authorizedCents: z.int(),
  authorizations: z.array(authorization),
  /** Oldest first. */
  history: z.array(estimateEvent),
  /** The path of the customer's page; null before the first revision was frozen. */
  customerPath: z.nullable(z.string()),
  bookingId: z.nullable(z.string()),
  quoteRequestId: z.nullable(z.string()),
  /** Quote, appointment, tasks, invoices and payments of the same thread. */
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
      /** claimed (being made), made, failed */
      state: z.string(),
      number: z.nullable(z.string()),
      invoiceId: z.nullable(z.string()),
      totalCents: z.int(),
    }),
  ),
  /** Letters of this estimate, newest first. */
  emails: z.array(z.extend(linked, { at: z.string(), recipient: z.string() })),
})
export type Estimate = z.output<typeof estimate>

/** What `list_estimates` answers: the newest 50 that match. */
export const estimateList = z.array(
  z.object({
    id: z.string(),
    number: z.string(),
    customerName: z.string(),
    vehicle: z.string(),
    state: z.enum(estimateStates),
    totalCents: z.int(),
    /** The total of the invoice; null without one. */
    invoicedCents: z.nullable(z.int()),
    authorizedCents: z.int(),
    jobs: z.int(),
    approvedJobs: z.int(),
    changedAt: z.string(),
    bookingId: z.nullable(z.string()),
  }),
)
export type EstimateListEntry = z.output<typeof estimateList>[number]

/** Jobs kept for reuse: what `find_canned_jobs` answers. */
export const cannedJobs = z.array(z.object({ id: z.string(), job }))
export type CannedJob = z.output<typeof cannedJobs>[number]

/** What `save_estimate`, `use_todays_tax_rate`, `record_authorization` and `freeze_estimate` answer. */
export const savedEstimate = z.object({
  version: z.int(),
  revision: z.int(),
  savedAt: z.string(),
  totalCents: z.int(),
  problems: z.array(problem),
})
export type SavedEstimate = z.output<typeof savedEstimate>

/**
 * The frozen revision as its customer sees it, what `read_sent_revision` answers to the server: no internal note, no VIN. Jobs
 * as in the document, with what each comes to by the database.
 */
export const sentRevision = z.object({
  estimateId: z.string(),
  bookingId: z.nullable(z.string()),
  number: z.string(),
  revision: z.int(),
  revisionHash: z.string(),
  /** The customer can decide while it is open; not once it is decided, expired or closed (invoiced). */
  state: z.enum(['open', 'decided', 'expired', 'closed']),
  customerName: z.string(),
  /** Of the customer now, whatever it was when the revision was frozen. */
  customerEmail: z.string(),
  /** Which link opens its page: each newer one ends those of before. */
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
      /** Whether it sells what was last decided on: the same title and lines. */
      isSameWork: z.boolean(),
    }),
  ),
  authorizedCents: z.int(),
  authorizations: z.array(authorization),
})
export type SentRevision = z.output<typeof sentRevision>
