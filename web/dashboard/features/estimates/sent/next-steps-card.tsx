import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Estimate } from '#contracts/estimates/estimates.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { taskLink } from '#web/dashboard/kit/navigation/links.ts'
import { Button } from '#web/ui/button/button.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { BillEstimate } from './bill-estimate.tsx'
import { createEstimateTasks, listAssignees } from '../estimates-api.ts'
import { estimateErrorMessage } from '../estimate-errors.ts'

/** The steps after an approval: the tasks with their employees, and the invoice. */
export function NextStepsCard({ estimate }: { estimate: Estimate }) {
  const approved = estimate.jobs.filter(({ authorizedCents }) => authorizedCents > 0)
  const missing = approved.filter(({ taskId }) => taskId === null)
  const creation = useTaskCreation(estimate)
  const assignees = useAssignees(approved.flatMap(({ taskId }) => taskId ?? []))
  if (approved.length === 0) return null
  const titleOf = (key: string) => estimate.document.jobs.find((job) => job.key === key)?.title
  return (
    <section className="card rail-card">
      <h3>Next</h3>
      {missing.length > 0 && (
        <Button
          compact
          level="primary"
          large
          busy={creation.isPending && 'Creating…'}
          onClick={() => creation.mutate()}
        >
          Create {countTasks(missing.length)}
        </Button>
      )}
      <ul className="next-tasks">
        {approved.map(({ key, taskId }) => (
          <li key={key}>
            {taskId ? (
              <Link {...taskLink(taskId)}>{titleOf(key)}</Link>
            ) : (
              <span>{titleOf(key)}</span>
            )}
            <span>{taskId ? assignees.get(taskId) : ''}</span>
          </li>
        ))}
      </ul>
      <BillEstimate estimate={estimate} />
    </section>
  )
}

const countTasks = (count: number) => (count === 1 ? '1 task' : `${count} tasks`)

function useTaskCreation({ id }: Estimate) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => createEstimateTasks(id),
    onSuccess: async (made) => {
      toast({
        title: made === 0 ? 'The tasks already exist.' : `${countTasks(made)} created.`,
        action: { label: 'Show', run: () => void navigate(taskLink()) },
      })
      await Promise.all([refetchQueries(queries, 'estimates'), refetchQueries(queries, 'tasks')])
    },
    onError: (error) =>
      toast({
        title: 'Could not create the tasks',
        description: estimateErrorMessage(error),
        variant: 'destructive',
      }),
  })
}

const noNames = new Map<string, string>()

function useAssignees(taskIds: readonly string[]): Map<string, string> {
  const { data } = useQuery({
    queryKey: ['tasks', 'assignees', taskIds],
    queryFn: () => listAssignees(taskIds),
    enabled: taskIds.length > 0,
  })
  return data ?? noNames
}
