import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { NewTask } from '#contracts/tasks.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { createTask } from '../tasks-api.ts'

/** Creates a task. `failure` is the message of the toast after a failed request. */
export function useCreateTask(options: { failure: string; onCreated: () => void }) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (task: NewTask) => createTask(task),
    onSuccess: () => {
      toast({ title: 'Task Created' })
      options.onCreated()
    },
    onError: () => toast({ title: 'Error', description: options.failure, variant: 'destructive' }),
    onSettled: () =>
      Promise.all([refetchQueries(queries, 'tasks'), refetchQueries(queries, 'bookings')]),
  })
}
