import type { Authorization, EstimateJob } from '#contracts/estimates/estimates.ts'
import type { EstimateKind } from '#domain/estimates/estimate-title.ts'
import type { PrintedPayer } from '#domain/estimates/payer.ts'
import type { TearDownDecline } from '#domain/estimates/tear-down.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import type { RegistrationDetails } from '../pdf/letterhead-lines.ts'
import type { Work } from './work-text.ts'

/** The data of a printed estimate. */
export type PrintableEstimate = {
  readonly kind: EstimateKind
  /** The number of the estimate, such as 'E-0101'. */
  readonly number: string
  readonly revision: number
  /** Whether this revision was sent to the customer. */
  readonly isFrozen: boolean
  readonly customer: { readonly name: string; readonly email: string; readonly phone: string }
  readonly payer: PrintedPayer | null
  readonly customerNote: string
  /** The date as 'yyyy-MM-dd': the sent date of a sent revision, today's date for a draft. */
  readonly date: string
  /** The last day on which the estimate is valid, as 'yyyy-MM-dd'. */
  readonly goodUntil: string
  readonly work: Work
}

type Printed = {
  vehicle: Work['vehicle']
  taxRate: number
  /** The jobs with their amounts; null for a draft without jobs. */
  jobs: EstimateJob[] | null
  authorizations: Authorization[]
  tearDownDeclines: TearDownDecline[]
}

type PrintedEstimate = Printed & {
  kind: EstimateKind
  number: string
  revision: number
  isFrozen: boolean
  customerName: string
  customerEmail: string
  customerPhone: string
  payer: PrintedPayer | null
  customerNote: string
  date: string
  goodUntil: string
  decisions: Record<string, Authorization['decision']>
}

type PrintedInvoice = {
  /** The jobs and the third-party payer of the estimate; null for an invoice with lines that staff typed. */
  dueAt: number | null
  /** The jobs and the payer of the estimate; null for an invoice with lines that staff typed. */
  work: (Printed & { payer: PrintedPayer | null }) | null
}

/** The data of a printed invoice that only the shop's database contains. */
export type PrintableInvoice = Pick<PrintedInvoice, 'dueAt'> & {
  readonly facts: RegistrationDetails
  readonly payer: PrintedPayer | null
  /** The approved jobs; null unless the invoice bills an estimate. */
  readonly work: Work | undefined
}

/**
 * Reads the data that the shop adds to a Stripe invoice for printing: the shop details, the due date, and the approved
 * jobs if the invoice bills an estimate.
 */
export async function readPrintableInvoice(
  database: Database,
  invoiceId: string,
): Promise<PrintableInvoice> {
  const [row] = await database.transaction(asServer, async (query) =>
    rowsAs<{ facts: RegistrationDetails; printable: PrintedInvoice }>(
      await query(
        `select jsonb_build_object('registrationNumber', registration_number, 'epaNumber', epa_number,
           'conditions', conditions) as facts, internal.read_printable_invoice($1) as printable
         from public.estimate_rules`,
        [invoiceId],
      ),
    ),
  )
  if (!row) throw new Error('The database contains no row with the rules for estimates')
  const { facts, printable } = row
  const { dueAt, work } = printable
  const jobs = work ? toWork(work, () => 'approved') : undefined
  return { facts, dueAt, payer: work?.payer ?? null, work: jobs }
}

/**
 * Reads an estimate for printing: the latest revision for staff, the latest sent revision for the customer. Returns
 * undefined when no such revision exists.
 */
export async function readPrintableEstimate(
  database: Database,
  estimateId: string,
  isForCustomer: boolean,
): Promise<{ facts: RegistrationDetails; printable: PrintableEstimate } | undefined> {
  const [row] = await database.transaction(asServer, async (query) =>
    rowsAs<{ facts: RegistrationDetails; printable: PrintedEstimate | null }>(
      await query(
        `select jsonb_build_object('registrationNumber', registration_number, 'epaNumber', epa_number,
           'conditions', conditions) as facts, internal.read_printable_estimate($1, $2) as printable
         from public.estimate_rules`,
        [estimateId, isForCustomer],
      ),
    ),
  )
  if (!row?.printable) return undefined
  return { facts: row.facts, printable: toPrintable(row.printable) }
}

function toPrintable(printed: PrintedEstimate): PrintableEstimate {
  const { kind, number, revision, isFrozen, payer, customerNote, date, goodUntil, decisions } =
    printed
  const { customerName: name, customerEmail: email, customerPhone: phone } = printed
  const work = toWork(printed, (key) => decisions[key] ?? null)
  const customer = { name, email, phone }
  return { kind, number, revision, isFrozen, customer, payer, customerNote, date, goodUntil, work }
}

function toWork(
  { vehicle, taxRate, jobs, authorizations, tearDownDeclines }: Printed,
  decisionOf: (jobKey: string) => Authorization['decision'] | null,
): Work {
  const withDecisions = (jobs ?? []).map((job) =>
    Object.assign(job, { decision: decisionOf(job.key) }),
  )
  return { vehicle, taxRate, jobs: withDecisions, authorizations, tearDownDeclines }
}
