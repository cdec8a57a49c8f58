import type { InputOf } from '#contracts/commands/command.ts'
import { recordAuthorizationCommand } from '#contracts/estimates/estimate-actions.ts'
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
import { runCommand } from '#web/lib/data/run-command.ts'
import { isUuid } from '#web/lib/is-uuid.ts'

/**
 * Reads an estimate with its authorizations and the other records (such as tasks and invoices) of the same repair.
 * Returns null if the estimate does not exist or the id is not a UUID.
 */
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

/** The mutation key of an estimate's deletion. During the deletion, the dashboard does not refetch the estimate. */
export const estimateDeletion = (id: string) => ['estimates', 'delete', id]

/** Saves all values of an estimate if nobody has changed the estimate since the user read it. */
export async function saveEstimate(id: string, version: number, document: EstimateDocument) {
  const { data } = await requestData((service) =>
    service.rpc('save_estimate', { estimate_id: id, seen_version: version, document }),
  )
  return savedEstimate.parse(data)
}

/** Reads the newest 50 estimates that match the filter; `state` '' means every state. */
export async function listEstimates(term: string, state: string): Promise<EstimateListEntry[]> {
  const { data } = await requestData((service) =>
    service.rpc('list_estimates', { term, wanted_state: state || null }),
  )
  return estimateList.parse(data)
}

/** Deletes a draft estimate that was never sent. */
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

/** The price of one hour of labor, in cents. */
export async function readLaborRate(): Promise<number> {
  const { data } = await requestData((service) =>
    service.from('estimate_rules').select('labor_rate_cents'),
  )
  return data[0]?.labor_rate_cents ?? 0
}

/**
 * Reads the customer's notes, the service price and the technician of the bay from the booking of an estimate;
 * undefined when the booking was deleted.
 */
export async function readEstimateBooking(id: string) {
  const { data } = await requestData((service) =>
    service
      .from('bookings')
      .select('notes, service_price_cents, bay:bays(technician)')
      .eq('id', id),
  )
  return data[0]
}

/** Reads the description of the work from the quote request of an estimate; undefined when the request was deleted. */
export async function readEstimateQuote(id: string) {
  const { data } = await requestData((service) =>
    service.from('quote_requests').select('description').eq('id', id),
  )
  return data[0]
}

/**
 * A decision that the customer gave to staff instead of entering it on the estimate page. `method` states whether the
 * customer decided by phone, by email or in person.
 */
export type OfflineDecision = Omit<
  InputOf<typeof recordAuthorizationCommand>,
  'estimateId' | 'seenVersion'
>

/** Records a decision and emails the customer a list of the approved jobs. A draft first becomes a sent revision. */
export async function recordAuthorization(
  estimateId: string,
  seenVersion: number,
  decision: OfflineDecision,
): Promise<void> {
  await runCommand(recordAuthorizationCommand, { estimateId, seenVersion, ...decision })
}

/**
 * A new email address for an estimate. `reason` states why the previous address is replaced: the customer has a new
 * address, or the previous address belongs to a wrong recipient.
 */
export type EmailChange = {
  readonly email: string
  readonly reason: 'new_address' | 'wrong_recipient'
}

/**
 * Changes the email address of an estimate without a new revision. The link that the shop sent to the previous address
 * stops working.
 */
export async function changeEstimateEmail(id: string, version: number, change: EmailChange) {
  await requestData((service) =>
    service.rpc('change_estimate_email', { estimate_id: id, seen_version: version, ...change }),
  )
}

/** Records the odometer reading without a new revision, so that the approvals stay valid. */
export async function recordEstimateOdometer(id: string, version: number, miles: number) {
  await requestData((service) =>
    service.rpc('record_estimate_odometer', { estimate_id: id, seen_version: version, miles }),
  )
}

/** Records that the customer declined the repair or the reassembly after a tear-down. */
export async function noteDeclined(id: string, jobKey: string, declined: 'repair' | 'reassembly') {
  await requestData((service) =>
    service.rpc('note_declined_after_tear_down', { estimate_id: id, job_key: jobKey, declined }),
  )
}

/**
 * Requests the URL path of the page on which the customer reads an estimate. If `renew` is true, the server creates a
 * new path, and all earlier paths stop working.
 */
export async function readEstimateLink(id: string, renew: boolean): Promise<string> {
  const { data } = await requestData((service) =>
    service.rpc('read_estimate_link', { estimate_id: id, renew }),
  )
  return data
}

/**
 * Creates a task for each approved job that has no task. `assignedTo` is the id of the employee who gets these tasks;
 * null for nobody. Returns the number of new tasks.
 */
export async function createEstimateTasks(id: string, assignedTo: string | null): Promise<number> {
  const { data } = await requestData((service) =>
    service.rpc('create_estimate_tasks', { estimate_id: id, assigned_to: assignedTo }),
  )
  return data
}

/** Reads the names of the employees to whom the tasks are assigned, by task id. */
export async function listAssignees(taskIds: readonly string[]): Promise<Map<string, string>> {
  const { data } = await requestData((service) =>
    service
      .from('tasks')
      .select('id, employee:employees(name)')
      .in('id', [...taskIds]),
  )
  return new Map(data.map(({ id, employee }) => [id, employee?.name ?? 'Unassigned']))
}

/** Sets the tax rate of the draft estimate to the rate that applies on the current day. */
export async function applyTodaysTaxRate(id: string, version: number): Promise<void> {
  await requestData((service) =>
    service.rpc('use_todays_tax_rate', { estimate_id: id, seen_version: version }),
  )
}
