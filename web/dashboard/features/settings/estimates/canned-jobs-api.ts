import { requestData } from '#web/lib/data/request-data.ts'

/** A job kept for reuse, by the name under which it is found. */
export type CannedJobTitle = { readonly id: string; readonly title: string }

/** All kept jobs, by name. */
export async function listCannedJobs(): Promise<CannedJobTitle[]> {
  const { data } = await requestData((service) =>
    service.from('canned_jobs').select('id, title').order('title').limit(500),
  )
  return data
}

/** Refused (canned_jobs_title_key) where another one is called that. */
export async function renameCannedJob({ id, title }: CannedJobTitle): Promise<void> {
  await requestData((service) =>
    service.rpc('rename_canned_job', { canned_job_id: id, new_title: title }),
  )
}

export async function deleteCannedJob({ id }: CannedJobTitle): Promise<void> {
  await requestData((service) => service.rpc('delete_canned_job', { canned_job_id: id }))
}
