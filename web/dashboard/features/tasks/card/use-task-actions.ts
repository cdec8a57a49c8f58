import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Task } from '#contracts/tasks.ts'
import { taskStatusLabel, type TaskStatus } from '#domain/tasks/task-status.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import { bookingErrorMessage } from '#web/dashboard/kit/bookings/booking-errors.ts'
import { changeBookingState } from '#web/dashboard/kit/bookings/change-booking-state.ts'
import { logQuietly } from '#web/lib/data/log-quietly.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { retentionMessage } from '#web/dashboard/kit/records/retention-message.ts'
import { isVersionConflict } from '#web/lib/data/version-conflict.ts'
import {
  addTaskNote,
  cleanUpCompletedTasks,
  deleteTask,
  markReadyForPickup,
  setTaskCustomerNote,
  updateTaskStatus,
} from '../tasks-api.ts'

type TaskBooking = NonNullable<Task['booking']>

/**
 * The functions that change tasks. Each shows a toast and resolves to true if the server saved the change. `setStatus`
 * requires the task as the user saw it, and changes nothing if the task now has another status.
 */
export type TaskActions = {
  readonly setStatus: (
    task: Task,
    status: TaskStatus,
    note?: string,
    /** The note for the customer, which the visit page shows beside the status. */
    customerNote?: string,
  ) => Promise<boolean>
  readonly addNote: (task: Task, note: string) => Promise<boolean>
  readonly markReady: (task: Task) => Promise<boolean>
  readonly completeBooking: (booking: TaskBooking) => Promise<boolean>
  readonly remove: (task: Task) => Promise<boolean>
  readonly isBusy: boolean
}

type Change = {
  readonly run: () => Promise<void>
  readonly showSuccess: () => void
  readonly failure: string
  /**
   * Converts an error to a message. The default is `refusalText`, which explains why the database refused a change of a
   * task.
   */
  readonly errorText?: (error: Error) => string
}

/**
 * `author` is the username of the signed-in user. The history names this user as the author of changes and notes
 * (docs/product.md 6).
 */
export function useTaskActions(author: string): TaskActions {
  const queries = useQueryClient()
  const mutation = useMutation({
    mutationFn: ({ run }: Change) => run(),
    onSuccess: (_, { showSuccess }) => showSuccess(),
    onError: (error, { failure, errorText = refusalText }) =>
      toast({
        title: 'Error',
        description: [failure, errorText(error)].filter(Boolean).join(' '),
        variant: 'destructive',
      }),
    onSettled: () =>
      Promise.all([refetchQueries(queries, 'tasks'), refetchQueries(queries, 'bookings')]),
  })
  const perform = (change: Change) =>
    mutation.mutateAsync(change).then(
      () => true,
      () => false,
    )
  return {
    isBusy: mutation.isPending,
    setStatus: (task, status, note = '', customerNote = '') =>
      perform({
        run: async () => {
          const isSame = status === task.status
          if (!isSame) await updateTaskStatus(author, task.id, status, note, task.status)
          else if (note.trim() !== '') await addTaskNote(author, task.id, note)
          const noteForCustomer = isSame ? task.customer_note : ''
          if (customerNote !== noteForCustomer) await setTaskCustomerNote(task.id, customerNote)
          if (!isSame && status === 'completed') await cleanUpQuietly()
        },
        showSuccess: () =>
          status === task.status
            ? toast({ title: note.trim() === '' ? 'Customer’s page updated' : 'Note added' })
            : toast({
                title: 'Task Updated',
                description: `Status set to ${taskStatusLabel(status)}.`,
              }),
        failure: 'Failed to update task.',
      }),
    addNote: (task, note) =>
      perform({
        run: () => addTaskNote(author, task.id, note),
        showSuccess: () => toast({ title: 'Note added' }),
        failure: 'Failed to add note.',
      }),
    markReady: (task) =>
      perform({
        run: () => markReadyForPickup(author, task.id),
        showSuccess: () => toast({ title: 'Marked Ready for Pickup' }),
        failure: 'Failed to mark as ready for pickup.',
      }),
    completeBooking: (booking) => completeBooking(perform, booking),
    remove: (task) =>
      perform({
        run: () => deleteTask(task.id),
        showSuccess: () => toast({ title: 'Task Deleted' }),
        failure: 'Failed to delete task.',
      }),
  }
}

type Perform = (change: Change) => Promise<boolean>

/** Completes the booking of a task and offers an undo (docs/product.md 12.14). */
async function completeBooking(perform: Perform, booking: TaskBooking): Promise<boolean> {
  const before = booking.vehicle_facts.bookingState
  let version = booking.version
  const undo = () =>
    void perform({
      run: async () => void (await changeBookingState({ ...booking, version }, before)),
      showSuccess: () => toast({ title: 'Completion Undone' }),
      failure: 'Failed to undo completion.',
      errorText: bookingErrorMessage,
    })
  return perform({
    run: async () => {
      version = await changeBookingState(booking, 'completed')
    },
    showSuccess: () =>
      toast({
        title: 'Appointment Completed',
        description: booking.customer_name,
        action: { label: 'Undo', run: undo },
      }),
    failure: 'Failed to complete appointment.',
    errorText: bookingErrorMessage,
  })
}

const taskNotFoundCode = 'TT031'

/**
 * Explains why the database refused a change: the law requires keeping the record, or another window has changed the
 * task.
 */
function refusalText(error: Error): string {
  if (!(error instanceof DataError)) return ''
  const reason = retentionMessage(error)
  if (reason) return reason
  if (error.code === taskNotFoundCode) return 'The task was deleted in another window.'
  if (isVersionConflict(error)) {
    return `The task was set to ${taskStatusLabel(error.detail ?? '')} in another window.`
  }
  return ''
}

/** Deletes old completed tasks. A failure is only logged, because the cleanup is not urgent (docs/product.md 8.7). */
export async function cleanUpQuietly(): Promise<number> {
  try {
    return await cleanUpCompletedTasks(new Date())
  } catch (error) {
    logQuietly('The cleanup of completed tasks failed', error)
    return 0
  }
}
