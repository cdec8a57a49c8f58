import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Estimate } from '#contracts/estimates/estimates.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { taskLink } from '#web/dashboard/kit/navigation/links.ts'
import { EmployeeOptions, useEmployees } from '#web/dashboard/kit/controls/employee-options.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { Select } from '#web/ui/field/field.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { BillEstimate } from './bill-estimate.tsx'
import { createEstimateTasks, listAssignees } from '../estimates-api.ts'
import { estimateErrorMessage } from '../estimate-errors.ts'
import { useEstimateBooking } from '../use-estimate-booking.ts'

/** The steps after the customer's approval: assigning the tasks to employees, and creating the invoice. */
export function NextStepsCard({ estimate }: { estimate: Estimate }) {
  const approved = estimate.jobs.filter(({ authorizedCents }) => authorizedCents > 0)
  const missing = approved.filter(({ taskId }) => taskId === null)
  const assignees = useAssignees(approved.flatMap(({ taskId }) => taskId ?? []))
  if (approved.length === 0) return null
  const titleOf = (key: string) => estimate.document.jobs.find((job) => job.key === key)?.title
  return (
    <section className="card rail-card">
      <h3>Next</h3>
      {missing.length > 0 && <TaskCreation estimate={estimate} count={missing.length} />}
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

/**
 * The form that creates a task for each approved job that has no task yet. The form proposes the technician of the
 * appointment's bay as the employee.
 */
function TaskCreation({ estimate, count }: { estimate: Estimate; count: number }) {
  const employees = useEmployees()
  const booking = useEstimateBooking(estimate.bookingId)
  const [chosen, choose] = useState<string>()
  const creation = useTaskCreation(estimate)
  const technician = booking.data?.bay?.technician
  const proposed = employees.data?.find(({ name }) => name === technician)?.id ?? ''
  const assignedTo = chosen ?? proposed
  const isBusy = creation.isPending || employees.isLoading || booking.isLoading
  return (
    <>
      <Select
        label="Assigned to"
        value={assignedTo}
        onChange={({ target }) => choose(target.value)}
      >
        <EmployeeOptions />
      </Select>
      <Button
        compact
        level="primary"
        large
        busy={creation.isPending && 'Creating…'}
        disabled={isBusy}
        onClick={() => creation.mutate(assignedTo || null)}
      >
        Create {countTasks(count)}
      </Button>
    </>
  )
}

const countTasks = (count: number) => (count === 1 ? '1 task' : `${count} tasks`)

function useTaskCreation({ id }: Estimate) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (assignedTo: string | null) => createEstimateTasks(id, assignedTo),
    onSuccess: async (made) => {
      toast({
        title:
          made === 0 ? 'The tasks of this estimate already exist.' : `${countTasks(made)} created.`,
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
