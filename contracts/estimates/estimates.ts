import * as z from 'zod/mini'
import { emailStatus } from '#contracts/emails/emails.ts'
import type { Deposit } from '#contracts/payments/deposits.ts'
import { estimateKinds } from '#domain/estimates/estimate-title.ts'
import { lineKinds } from '#domain/estimates/estimate-totals.ts'

/**
 * The limits of one estimate: numbers of jobs and lines, text lengths in characters, and quantities. The database
 * enforces the same limits.
 */
export const estimateLimits = {
  jobs: 40,
  /** The maximum number of lines of all jobs together. */
  lines: 300,
  titleLength: 120,
  descriptionLength: 200,
  customerDescriptionLength: 1000,
  /**
   * For the terms of a tear-down: the maximum length, in characters, of the text about the parts to take apart, and of
   * the text about the parts that are destroyed.
   */
  tearDownTextLength: 300,
  reassemblyTimeLength: 60,
  payerNameLength: 100,
  payerReferenceLength: 60,
  noteLength: 2000,
  /** The maximum quantity of a line in thousandths: 9,999.999 hours or pieces. */
  quantityThousandths: 9_999_999,
} as const

/**
 * The subtypes of each kind of line. For a part: whether the part is new, used or rebuilt (16 CCR 3356). For a fee: its
 * purpose. For a discount: whether it is a percentage or an amount. Lines of other kinds have the subtype ''.
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
  /** The number of hours or pieces, or the percentage, in thousandths: 1.2 hours is 1200. */
  quantityThousandths: z.int(),
  /**
   * The price of one hour or piece in cents; 0 for a percentage. For a discount of a fixed amount, the amount that it
   * subtracts, as a positive number.
   */
  unitPriceCents: z.int(),
  isTaxable: z.boolean(),
})
export type EstimateLine = z.output<typeof line>

/** A measurement with the value of a new part and the limit of wear: 2 mm of brake pad, new 11 mm, limit 3 mm. */
const measurement = z.object({
  value: z.number(),
  limit: z.number(),
  whenNew: z.number(),
  unit: z.string(),
})
export type Measurement = z.output<typeof measurement>

/** The terms of a tear-down (domain/estimates/tear-down.ts). */
const tearDown = z.object({
  areas: z.string(),
  priceCents: z.nullable(z.int()),
  reassemblyPriceCents: z.nullable(z.int()),
  destroyedParts: z.string(),
  reassemblyTime: z.string(),
  mayPreventReassembly: z.nullable(z.boolean()),
})
export type TearDown = z.output<typeof tearDown>

const job = z.object({
  /** The key that identifies the same job in all revisions of the estimate. */
  key: z.uuid(),
  title: z.string(),
  /** The description of the job for the customer. */
  customerDescription: z.string(),
  /** True when the vehicle needs the job now, false when the job can wait. */
  isNeeded: z.boolean(),
  measurement: z.nullable(measurement),
  /** The terms of a tear-down; null for a job of another kind, and in jobs that earlier releases stored. */
  tearDown: z._default(z.nullable(tearDown), null),
  lines: z.array(line),
})
export type EstimateJob = z.output<typeof job>

/**
 * The third party that pays in place of the customer. '' and null mean that a value is missing. Estimates that earlier
 * releases stored have no payer.
 */
const payer = z.object({
  name: z.string(),
  /** The number of the payer's insurance claim or of the payer's own estimate. */
  reference: z.string(),
  approvedCents: z.nullable(z.int()),
})

/** The content of an estimate that staff edit; the argument of the database function `save_estimate`. */
export const estimateDocument = z.object({
  customer: z.object({
    name: z.string(),
    /** The customer's email address; '' when there is none. */
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
  payer: z._default(payer, { name: '', reference: '', approvedCents: null }),
  customerNote: z.string(),
  /** A note for staff, which appears in no email, in no PDF and on no page for customers. */
  internalNote: z.string(),
  /** The last day on which the customer can approve the estimate: yyyy-MM-dd. */
  goodUntil: z.string(),
  jobs: z.array(job),
})
export type EstimateDocument = z.output<typeof estimateDocument>

/** The methods by which a customer can authorize or decline work (16 CCR 3354). */
export const authorizationMethods = [
  'web',
  'in_person',
  'phone',
  'text',
  'email',
  'signature',
  /**
   * The method of a withdrawal: staff withdraw the decision of a stranger who received the link by mistake. Customers
   * cannot use this method.
   */
  'shop',
] as const

/**
 * One line of the append-only list of authorizations: the decision about one job. Amounts are in cents and include
 * tax.
 */
const authorization = z.object({
  id: z.int(),
  /** Identifies the submission (batch): all decisions that the customer made at once have the same id. */
  batchId: z.string(),
  revision: z.int(),
  /** The SHA-256 hash of the frozen (unchangeable) revision, hexadecimal. */
  revisionHash: z.string(),
  jobKey: z.string(),
  jobTitle: z.string(),
  /** The decision; 'withdrawn' cancels an earlier approval. */
  decision: z.enum(['approved', 'declined', 'withdrawn']),
  amountCents: z.int(),
  /** The total amount in cents that is authorized after this decision. */
  runningTotalCents: z.int(),
  method: z.enum(authorizationMethods),
  decidedByName: z.string(),
  relationship: z.string(),
  /** The phone number called or the email address written to; '' for a decision in person. */
  contact: z.string(),
  /** The words that the customer used for the decision. */
  statement: z.string(),
  wantsPartsBack: z.boolean(),
  /** The time (ISO 8601) at which the customer decided. */
  decidedAt: z.string(),
  recordedBy: z.string(),
  /** The reason why the decision no longer counts; null while the decision counts. */
  voidBecause: z.nullable(z.enum(['customer', 'vehicle', 'wrong_recipient'])),
})
export type Authorization = z.output<typeof authorization>

/** The reasons why a draft cannot be sent yet. */
const estimateProblems = [
  'name_missing',
  'vehicle_missing',
  'odometer_missing',
  'payer_name_missing',
  'payer_reference_missing',
  'no_jobs',
  'total_too_large',
  'title_missing',
  'no_lines',
  'discount_above_job',
  'description_missing',
  'generic_supplies',
  'towing_needs_own_estimate',
  'hazardous_waste_needs_epa',
  'tear_down_areas_missing',
  'tear_down_price_missing',
  'tear_down_reassembly_price_missing',
  'tear_down_destroyed_parts_missing',
  'tear_down_time_missing',
  'tear_down_risk_missing',
  'tear_down_price_differs',
] as const

const problem = z.object({
  code: z.enum(estimateProblems),
  /** The key of the job with the problem; null for a problem of the whole estimate. */
  jobKey: z.nullable(z.string()),
  /** The number of the line with the problem, from 1; null for a problem of the whole job. */
  line: z.nullable(z.int()),
})
export type EstimateProblem = z.output<typeof problem>

/** The possible states of an estimate. */
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
  /**
   * The kind of change. customer_changed and vehicle_changed (the estimate now belongs to another customer or vehicle)
   * void the approvals; details_changed (other details of the same customer or vehicle) does not.
   */
  kind: z.enum([
    'details_changed',
    'customer_changed',
    'vehicle_changed',
    'address_changed',
    'relinked',
    /** The customer declined the repair, or the reassembly, after a tear-down. */
    'repair_declined',
    'reassembly_declined',
  ]),
  /**
   * The changed fields with their values before the change; null for a kind without changed fields, such as 'relinked'
   * (staff created a new link).
   */
  before: changedDetails,
  after: changedDetails,
  changedBy: z.string(),
  /** The time (ISO 8601) at which the estimate was changed. */
  at: z.string(),
})
export type EstimateEvent = z.output<typeof estimateEvent>

const linked = z.object({ id: z.string(), label: z.string(), state: z.string() })

/**
 * The result of the database function `read_estimate`, called over the REST API (docs/product.md 15). Instants are ISO
 * 8601.
 */
export const estimate = z.object({
  id: z.string(),
  /** The number of the estimate: 'E-0093'. */
  number: z.string(),
  kind: z.enum(estimateKinds),
  /** The version of the estimate; a request that saves it must send this version. */
  version: z.int(),
  savedAt: z.string(),
  savedBy: z.string(),
  revision: z.int(),
  /**
   * Whether the latest revision is frozen (unchangeable). When staff save the estimate after a frozen revision, they
   * create the next revision.
   */
  isFrozen: z.boolean(),
  /** The SHA-256 hash of the frozen (unchangeable) revision, hexadecimal; null for a draft. */
  revisionHash: z.nullable(z.string()),
  state: z.enum(estimateStates),
  /** The time (ISO 8601) at which the shop sent the revision that the customer can see. */
  sentAt: z.nullable(z.string()),
  /** The email address to which the shop last sent the revision that the customer can see. */
  sentTo: z.nullable(z.string()),
  seenAt: z.nullable(z.string()),
  decidedAt: z.nullable(z.string()),
  /** The tax rate that is stored with the estimate, in ten-thousandths of a percent: 91250 is 9.125 %. */
  taxRate: z.int(),
  /** The shop's current tax rate, which new estimates get, in ten-thousandths of a percent. */
  todaysTaxRate: z.int(),
  document: estimateDocument,
  problems: z.array(problem),
  /**
   * The jobs of the estimate in order. Each has its authorized amount in cents, which is 0 for a job without
   * approval.
   */
  jobs: z.array(
    z.object({
      key: z.string(),
      totalCents: z.int(),
      authorizedCents: z.int(),
      /** The latest decision about the job in any revision; null when the job has no decision. */
      decision: z.nullable(z.enum(['approved', 'declined', 'withdrawn'])),
      /**
       * Whether the title and lines of the job are unchanged since its latest decision; false when the job has no
       * decision.
       */
      isSameWork: z.boolean(),
      taskId: z.nullable(z.string()),
    }),
  ),
  authorizedCents: z.int(),
  authorizations: z.array(authorization),
  /** The changes of the sent estimate, oldest change first. */
  history: z.array(estimateEvent),
  /** The path of the page on which the customer decides; null until the first revision is sent. */
  customerPath: z.nullable(z.string()),
  bookingId: z.nullable(z.string()),
  quoteRequestId: z.nullable(z.string()),
  /** The quote request, appointment, tasks, invoices and payments that belong to the same repair. */
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
      /** The state of the estimate's invoice: claimed (being created), made (created), failed (creation failed). */
      state: z.string(),
      number: z.nullable(z.string()),
      invoiceId: z.nullable(z.string()),
      totalCents: z.int(),
    }),
  ),
  /** The emails about this estimate, newest first. */
  emails: z.array(z.extend(linked, { state: emailStatus, at: z.string(), recipient: z.string() })),
})
export type Estimate = z.output<typeof estimate>

/** The result of the database function `list_estimates`: the newest 50 estimates that match the request. */
export const estimateList = z.array(
  z.object({
    id: z.string(),
    number: z.string(),
    kind: z.enum(estimateKinds),
    customerName: z.string(),
    vehicle: z.string(),
    state: z.enum(estimateStates),
    totalCents: z.int(),
    /** The total of the estimate's invoice in cents; null when there is no invoice. */
    invoicedCents: z.nullable(z.int()),
    authorizedCents: z.int(),
    jobs: z.int(),
    approvedJobs: z.int(),
    changedAt: z.string(),
    bookingId: z.nullable(z.string()),
  }),
)
export type EstimateListEntry = z.output<typeof estimateList>[number]

/** The result of the database function `find_canned_jobs`: jobs that staff saved for reuse. */
export const cannedJobs = z.array(z.object({ id: z.string(), job }))
export type CannedJob = z.output<typeof cannedJobs>[number]

/**
 * The result of the database functions `save_estimate`, `use_todays_tax_rate`, `record_authorization` and
 * `freeze_estimate`.
 */
export const savedEstimate = z.object({
  version: z.int(),
  revision: z.int(),
  savedAt: z.string(),
  totalCents: z.int(),
  problems: z.array(problem),
})
export type SavedEstimate = z.output<typeof savedEstimate>

/**
 * The sent revision as the customer's page shows it: the result of the database function `read_sent_revision`,
 * without the internal note and the VIN. Each job has the total that the database computed.
 */
export const sentRevision = z.object({
  estimateId: z.string(),
  bookingId: z.nullable(z.string()),
  number: z.string(),
  kind: z.enum(estimateKinds),
  revision: z.int(),
  revisionHash: z.string(),
  /** The customer can decide while the state is open; closed means that the estimate was invoiced. */
  state: z.enum(['open', 'decided', 'expired', 'closed']),
  customerName: z.string(),
  /** The customer's current email address, which may differ from the address in the frozen revision. */
  customerEmail: z.string(),
  /**
   * The version of the link to the customer's page. Creating a new link raises the version and invalidates earlier
   * links.
   */
  linkVersion: z.int(),
  vehicle: z.object({
    year: z.string(),
    make: z.string(),
    model: z.string(),
    odometerMiles: z.nullable(z.int()),
  }),
  /**
   * The third-party payer. While the amount that the payer approved is unknown, the page shows `sentence` in place of
   * the amount.
   */
  payer: z.nullable(z.extend(payer, { sentence: z.nullable(z.string()) })),
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
      /** Whether the title and lines of the job are unchanged since its latest decision. */
      isSameWork: z.boolean(),
    }),
  ),
  authorizedCents: z.int(),
  authorizations: z.array(authorization),
})
export type SentRevision = z.output<typeof sentRevision> & {
  /**
   * The deposit, which the server reads together with the revision; undefined on pages that do not show the deposit.
   */
  readonly deposit?: Deposit
}
