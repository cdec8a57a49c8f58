import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { deleteCannedJob } from '#web/dashboard/kit/records/delete-canned-job.ts'
import { Button } from '#web/ui/button/button.tsx'
import { findCannedJobs } from '../estimates-api.ts'
import { estimateErrorMessage } from '../estimate-errors.ts'

/** Lists the canned jobs and lets staff delete them. */
export function CannedJobsDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const cannedJobs = useQuery({
    queryKey: ['estimates', 'canned_jobs', ''],
    queryFn: () => findCannedJobs(''),
  })
  const deleting = useMutation({
    mutationFn: deleteCannedJob,
    onSuccess: () => refetchQueries(queries, 'estimates', 'canned_jobs'),
    onError: (error) =>
      toast({
        title: 'Could not delete the canned job',
        description: estimateErrorMessage(error),
        variant: 'destructive',
      }),
  })
  return (
    <Dialog open size="small" title="Canned jobs" onClose={onClose}>
      <p>Deleting a canned job does not change any estimate.</p>
      <ul className="canned-jobs">
        {cannedJobs.data?.map(({ id, job }) => (
          <li key={id}>
            {job.title}
            <Button
              compact
              level="danger"
              disabled={deleting.isPending}
              onClick={() => deleting.mutate(id)}
            >
              Delete<span className="visually-hidden"> {job.title}</span>
            </Button>
          </li>
        ))}
      </ul>
      {cannedJobs.data?.length === 0 && <p>No canned jobs yet.</p>}
    </Dialog>
  )
}
