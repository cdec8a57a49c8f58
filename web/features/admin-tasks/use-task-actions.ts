import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Task } from '#contracts/tasks.ts'
import { taskStatusLabel, type TaskStatus } from '#domain/task-status.ts'
import { toast } from '#web/ui/toast.ts'
import { logQuietly } from '#web/lib/log-quietly.ts'
import {
  addTaskNote,
  cleanUpCompletedTasks,
  deleteTask,
  markReadyForPickup,
  updateTaskStatus,
} from './tasks-api.ts'

/** The changes of a task, each with its words. Each resolves to whether it was done. */
export type TaskActions = {
  readonly setStatus: (task: Task, status: TaskStatus, note?: string) => Promise<boolean>
  readonly addNote: (task: Task, note: string) => Promise<boolean>
  readonly markReady: (task: Task) => Promise<boolean>
  readonly remove: (task: Task) => Promise<boolean>
  readonly isBusy: boolean
}

type Change = {
  readonly run: () => Promise<void>
  readonly done: () => void
  readonly failure: string
}

export function useTaskActions(): TaskActions {
  const queries = useQueryClient()
  const mutation = useMutation({
    mutationFn: ({ run }: Change) => run(),
    onSuccess: (_, { done }) => done(),
    onError: (_, { failure }) =>
      toast({ title: 'Error', description: failure, variant: 'destructive' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['tasks'] }),
  })
  const perform = (change: Change) =>
    mutation.mutateAsync(change).then(
      () => true,
      () => false,
    )
  return {
    isBusy: mutation.isPending,
    setStatus: (task, status, note = '') =>
      perform({
        run: async () => {
          await updateTaskStatus(task.id, status, note)
          if (status === 'completed') await cleanUpQuietly()
        },
        done: () =>
          status === task.status
            ? toast({ title: 'Note added' })
            : toast({
                title: 'Task Updated',
                description: `Status set to ${taskStatusLabel(status)}.`,
              }),
        failure: 'Failed to update task.',
      }),
    addNote: (task, note) =>
      perform({
        run: () => addTaskNote(task.id, note),
        done: () => toast({ title: 'Note added' }),
        failure: 'Failed to add note.',
      }),
    markReady: (task) =>
      perform({
        run: () => markReadyForPickup(task.id),
        done: () => toast({ title: 'Marked Ready for Pickup' }),
        failure: 'Failed to mark as ready for pickup.',
      }),
    remove: (task) =>
      perform({
        run: () => deleteTask(task.id),
        done: () => toast({ title: 'Task Deleted' }),
        failure: 'Failed to delete task.',
      }),
  }
}

/** Cleanup is housekeeping: when it fails, nobody is bothered with it (specification, section 8). */
export async function cleanUpQuietly(): Promise<number> {
  try {
    return await cleanUpCompletedTasks(new Date())
  } catch (error) {
    logQuietly('The cleanup of completed tasks failed', error)
    return 0
  }
}
