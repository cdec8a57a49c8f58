import { useMutation, useQueryClient } from '@tanstack/react-query'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { Button } from '#web/ui/button/button.tsx'
import { saveCannedJob } from '../estimates-api.ts'
import { estimateErrorMessage } from '../estimate-errors.ts'
import { documentJob, type EstimateFormJob } from '../form/estimate-form.ts'

/** Saves a job as a canned job, which staff can add to other estimates. */
export function SaveCannedJobButton({ job }: { job: EstimateFormJob }) {
  const queries = useQueryClient()
  const saving = useMutation({
    mutationFn: () => saveCannedJob(documentJob(job)),
    onSuccess: () => {
      toast({
        title: 'Saved as canned job',
        description: `“Add a job” now offers ${job.title.trim()}.`,
      })
      return refetchQueries(queries, 'estimates', 'canned_jobs')
    },
    onError: (error) =>
      toast({
        title: 'Could not save the canned job',
        description: estimateErrorMessage(error),
        variant: 'destructive',
      }),
  })
  return (
    <Button
      compact
      level="quiet"
      disabled={saving.isPending || job.title.trim() === ''}
      onClick={() => saving.mutate()}
    >
      <Icon name="note" />
      Save as canned job<span className="visually-hidden">: {job.title}</span>
    </Button>
  )
}
