import { requestData } from '#web/lib/data/request-data.ts'

/** Deletes a canned job. Estimates that already contain its lines do not change. */
export async function deleteCannedJob(id: string): Promise<void> {
  await requestData((service) => service.rpc('delete_canned_job', { canned_job_id: id }))
}
