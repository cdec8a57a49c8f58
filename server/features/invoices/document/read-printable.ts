import type { Authorization, EstimateJob } from '#contracts/estimates/estimates.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import type { RegistrationDetails } from '../pdf/letterhead-lines.ts'
import type { Work } from './work-text.ts'

/** An estimate as it is printed. */
export type PrintableEstimate = {
  /** 'E-0101' */
  readonly number: string
  readonly revision: number
  /** Whether it was handed over. */
  readonly isFrozen: boolean
  readonly customer: { readonly name: string; readonly email: string; readonly phone: string }
  readonly customerNote: string
  /** yyyy-MM-dd: when it was handed over; of a draft today. */
  readonly date: string
  /** yyyy-MM-dd */
  readonly goodUntil: string
  readonly work: Work
}

type Printed = {
  vehicle: Work['vehicle']
  taxRate: number
  /** Null of a draft without any. */
  jobs: EstimateJob[] | null
  authorizations: Authorization[]
}

type PrintedEstimate = Printed & {
  number: string
  revision: number
  isFrozen: boolean
  customerName: string
  customerEmail: string
  customerPhone: string
  customerNote: string
  date: string
  goodUntil: string
  decisions: Record<string, Authorization['decision']>
}

/** What every paper of the shop says, and what was approved and done where the invoice is of an estimate. */
export async function readPrintableInvoice(
  database: Database,
  invoiceId: string,
): Promise<{ facts: RegistrationDetails; work: Work | undefined }> {
  const [row] = await database.transaction(asServer, async (query) =>
    rowsAs<{ facts: RegistrationDetails; printable: Printed | null }>(
      await query(
        `select jsonb_build_object('registrationNumber', registration_number, 'epaNumber', epa_number,
           'conditions', conditions) as facts, internal.read_printable_invoice($1) as printable
         from public.estimate_rules`,
        [invoiceId],
      ),
    ),
  )
  if (!row) throw new Error('The shop has no rules for its papers')
  const { facts, printable } = row
  return { facts, work: printable ? toWork(printable, () => 'approved') : undefined }
}

/**
 * An estimate as it is printed: its latest revision, or for the customer the one that was handed over last. Undefined when
 * there is none.
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
  const { number, revision, isFrozen, customerNote, date, goodUntil, decisions } = printed
  const { customerName: name, customerEmail: email, customerPhone: phone } = printed
  const work = toWork(printed, (key) => decisions[key] ?? null)
  const customer = { name, email, phone }
  return { number, revision, isFrozen, customer, customerNote, date, goodUntil, work }
}

function toWork(
  { vehicle, taxRate, jobs, authorizations }: Printed,
  decisionOf: (jobKey: string) => Authorization['decision'] | null,
): Work {
  const withDecisions = (jobs ?? []).map((job) =>
    Object.assign(job, { decision: decisionOf(job.key) }),
  )
  return { vehicle, taxRate, jobs: withDecisions, authorizations }
}
