import {
  type Estimate,
  estimate,
  type EstimateDocument,
  type EstimateJob,
  estimateList,
  type EstimateListEntry,
  type CannedJob,
  cannedJobs,
  savedEstimate,
} from '#contracts/estimates/estimates.ts'
import { requestData, DataError } from '#web/lib/data/request-data.ts'
import { isUuid } from '#web/lib/is-uuid.ts'

/** An estimate with its ledger and its thread; null when there is none, or when a link's id is none. */
export async function readEstimate(id: string): Promise<Estimate | null> {
  if (!isUuid(id)) return null
  try {
    const { data } = await requestData((service) =>
      service.rpc('read_estimate', { estimate_id: id }),
    )
    return estimate.parse(data)
  } catch (error) {
    if (error instanceof DataError && error.code === notFoundCode) return null
    throw error
  }
}

const notFoundCode = 'TT071'

/** Names the deletion of an estimate: while it is under way, nobody reads what goes. */
export const estimateDeletion = (id: string) => ['estimates', 'delete', id]

/** Saves the whole document over the version that was seen. */
export async function saveEstimate(id: string, version: number, document: EstimateDocument) {
  const { data } = await requestData((service) =>
    service.rpc('save_estimate', { estimate_id: id, seen_version: version, document }),
  )
  return savedEstimate.parse(data)
}

/** The newest 50 that match; every state where none is named. */
export async function listEstimates(term: string, state: string): Promise<EstimateListEntry[]> {
  const { data } = await requestData((service) =>
    service.rpc('list_estimates', { term, wanted_state: state || null }),
  )
  return estimateList.parse(data)
}

/** Deletes a draft that was never sent. */
export async function deleteEstimate(id: string): Promise<void> {
  await requestData((service) => service.rpc('delete_estimate', { estimate_id: id }))
}

export async function findCannedJobs(term: string): Promise<CannedJob[]> {
  const { data } = await requestData((service) => service.rpc('find_canned_jobs', { term }))
  return cannedJobs.parse(data)
}

export async function saveCannedJob(job: EstimateJob): Promise<void> {
  await requestData((service) => service.rpc('save_canned_job', { job }))
}

/** What an hour costs, in cents. */
export async function readLaborRate(): Promise<number> {
  const { data } = await requestData((service) =>
    service.from('estimate_rules').select('labor_rate_cents'),
  )
  return data[0]?.labor_rate_cents ?? 0
}

/** What somebody said by another way than the page, and how. */
export type OfflineDecision = {
  readonly decisions: readonly {
    readonly jobKey: string
    readonly decision: 'approved' | 'declined' | 'withdrawn'
    /** The ledger line by which the job was declined before, which staff looked at; null where there is none. */
    readonly declinedId: number | null
  }[]
  readonly method: string
  readonly decidedByName: string
  readonly relationship: string
  readonly contact: string
  readonly statement: string
  /** ISO 8601. */
  readonly decidedAt: string
  readonly wantsPartsBack: boolean
}

/** Writes an answer into the ledger; what was a draft is frozen by it. */
export async function recordAuthorization(id: string, version: number, decision: OfflineDecision) {
  const { decisions, method, contact } = decision
  const { data } = await requestData((service) =>
    service.rpc('record_authorization', {
      estimate_id: id,
      seen_version: version,
      decisions: [...decisions],
      method,
      decided_by_name: decision.decidedByName,
      relationship: decision.relationship,
      contact,
      statement: decision.statement,
      decided_at: decision.decidedAt,
      wants_parts_back: decision.wantsPartsBack,
    }),
  )
  return savedEstimate.parse(data)
}

/** A new address, and whether whoever had the old one was the customer. */
export type EmailChange = {
  readonly email: string
  readonly reason: 'new_address' | 'wrong_recipient'
}

/** Changes the address of an estimate without a new revision; the link to the old one ends. */
export async function changeEstimateEmail(id: string, version: number, change: EmailChange) {
  await requestData((service) =>
    service.rpc('change_estimate_email', { estimate_id: id, seen_version: version, ...change }),
  )
}

/** The path of the customer's page; with `renew` a new one, which ends all older links. */
export async function readEstimateLink(id: string, renew: boolean): Promise<string> {
  const { data } = await requestData((service) =>
    service.rpc('read_estimate_link', { estimate_id: id, renew }),
  )
  return data
}

/** Makes a task of each approved job that has none; returns how many. */
export async function createEstimateTasks(id: string): Promise<number> {
  const { data } = await requestData((service) =>
    service.rpc('create_estimate_tasks', { estimate_id: id }),
  )
  return data
}

/** Who does the tasks of an estimate, by the task's id. */
export async function listAssignees(taskIds: readonly string[]): Promise<Map<string, string>> {
  const { data } = await requestData((service) =>
    service
      .from('tasks')
      .select('id, employee:employees(name)')
      .in('id', [...taskIds]),
  )
  return new Map(data.map(({ id, employee }) => [id, employee?.name ?? 'Unassigned']))
}

/** Gives the draft the tax of today. */
export async function applyTodaysTaxRate(id: string, version: number): Promise<void> {
  await requestData((service) =>
    service.rpc('use_todays_tax_rate', { estimate_id: id, seen_version: version }),
  )
}

export async function deleteCannedJob(id: string): Promise<void> {
  await requestData((service) => service.rpc('delete_canned_job', { canned_job_id: id }))
}
