import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { discardThen } from '#web/dashboard/kit/navigation/unsaved-changes.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state/empty-state.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { deleteCannedJob } from '#web/dashboard/kit/records/delete-canned-job.ts'
import { Button } from '#web/ui/button/button.tsx'
import { toastFailure } from '../kit/save-errors.ts'
import { pollMs } from '../kit/poll-ms.ts'
import { CannedJobName } from './canned-job-name.tsx'
import { type CannedJobTitle, listCannedJobs } from './canned-jobs-api.ts'

/**
 * Lists the canned jobs and lets staff rename or delete them. Staff edit the lines of a canned job on an estimate, not
 * on the settings page.
 */
export function CannedJobsCard() {
  const queries = useQueryClient()
  const jobs = useQuery({
    queryKey: ['settings', 'canned-jobs'],
    queryFn: listCannedJobs,
    refetchInterval: pollMs,
  })
  const [renamed, setRenamed] = useState<string>()
  const [removed, setRemoved] = useState<CannedJobTitle>()
  const isOffline = useOfflineSince() !== undefined
  const readJobsAgain = () =>
    Promise.all([
      refetchQueries(queries, 'settings', 'canned-jobs'),
      refetchQueries(queries, 'settings_history'),
    ])
  const removing = useMutation({
    mutationFn: ({ id }: CannedJobTitle) => deleteCannedJob(id),
    onSuccess: async (_result, { title }) => {
      await readJobsAgain()
      toast({ title: 'Removed', description: `Estimates with ${title} do not change.` })
      setRemoved(undefined)
    },
    onError: toastFailure,
  })
  return (
    <section className="card settings-card">
      <h3>Canned jobs</h3>
      <p className="hint">
        ‘Save as canned job’ on an estimate saves a job with its lines here. Saving one with the
        same name replaces it.
      </p>
      {jobs.isError && (
        <LoadFailure
          title="The canned jobs could not be loaded."
          onRetry={() => void jobs.refetch()}
        />
      )}
      {!jobs.data && !jobs.isError && <Skeleton />}
      {jobs.data?.length === 0 && <EmptyState dashed title="No canned jobs yet." />}
      <ul className="setting-list" aria-label="Canned jobs">
        {jobs.data?.map((job) => (
          <li key={job.id}>
            {renamed === job.id ? (
              <CannedJobName
                job={job}
                onSaved={readJobsAgain}
                onEnd={() => {
                  setRenamed(undefined)
                  // Focuses the button 'Rename' in the next frame, because React renders the button again only after
                  // the form has closed.
                  requestAnimationFrame(() => document.getElementById(`rename-${job.id}`)?.focus())
                }}
              />
            ) : (
              <>
                <b>{job.title}</b>
                <Button
                  id={`rename-${job.id}`}
                  compact
                  level="quiet"
                  onClick={() => discardThen(() => setRenamed(job.id))}
                >
                  Rename<span className="visually-hidden"> {job.title}</span>
                </Button>
                <Button
                  compact
                  level="quiet"
                  square
                  disabled={isOffline}
                  aria-label={`Remove ${job.title}`}
                  onClick={() => setRemoved(job)}
                >
                  <Icon name="close" />
                </Button>
              </>
            )}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={removed !== undefined}
        title="Remove this canned job?"
        confirmLabel="Remove"
        busy={removing.isPending}
        busyLabel="Removing…"
        onClose={() => setRemoved(undefined)}
        onConfirm={() => removed && removing.mutate(removed)}
      >
        <p>{removed?.title}. Estimates that use it stay as they are.</p>
      </ConfirmDialog>
    </section>
  )
}
