import { useMutation, useQueryClient } from '@tanstack/react-query'
import { readAgain } from '#web/lib/read-again.ts'
import { Icon } from '#web/ui/icon.tsx'
import { toast } from '#web/ui/toast.ts'
import { keepJob } from './estimates-api.ts'
import { refusalWords } from './refusal-words.ts'
import { documentJob, type SheetJob } from './sheet.ts'

/** Keeps a job under its name, to be added to other estimates. */
export function KeepJobButton({ job }: { job: SheetJob }) {
  const queries = useQueryClient()
  const keeping = useMutation({
    mutationFn: () => keepJob(documentJob(job)),
    onSuccess: () => {
      toast({ title: 'Kept', description: `“Add a job” offers ${job.title.trim()} from now on.` })
      return readAgain(queries, 'estimates', 'kept_jobs')
    },
    onError: (error) =>
      toast({ title: 'Not kept', description: refusalWords(error), variant: 'destructive' }),
  })
  return (
    <button
      type="button"
      className="action action-quiet"
      disabled={keeping.isPending || job.title.trim() === ''}
      onClick={() => keeping.mutate()}
    >
      <Icon name="note" />
      Keep this job<span className="visually-hidden">: {job.title}</span>
    </button>
  )
}
