import { requestData } from '#web/lib/data/request-data.ts'

/** A canned job (a stored job that staff add to estimates), without its lines. */
export type CannedJobTitle = { readonly id: string; readonly title: string }

/** All canned jobs, sorted by title. */
export async function listCannedJobs(): Promise<CannedJobTitle[]> {
  const { data } = await requestData((service) =>
    service.from('canned_jobs').select('id, title').order('title').limit(500),
  )
  return data
}

/** Renames a canned job. The database refuses with canned_jobs_title_key if another canned job has this title. */
export async function renameCannedJob({ id, title }: CannedJobTitle): Promise<void> {
  await requestData((service) =>
    service.rpc('rename_canned_job', { canned_job_id: id, new_title: title }),
  )
}
