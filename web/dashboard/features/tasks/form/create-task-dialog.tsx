import { useRef, useState } from 'react'
import { useForm } from '#web/lib/forms/use-form.ts'
import { FormDialog } from '#web/dashboard/kit/controls/form-dialog.tsx'
import { emptyTaskForm, newTaskOf, taskFieldLimits, TaskFields } from './task-form.tsx'
import { useCreateTask } from './use-create-task.ts'
import '../tasks.css'

const titleRequired = {
  title: 'Validation Error',
  message: 'Task title is required.',
  fields: ['title'],
} as const

type Props = {
  /** Initial values of the form, for example from a quote request. */
  prefill?: { title: string; description: string } | undefined
  onClose: () => void
}

/** Creates a task without a booking. */
export function CreateTaskDialog({ prefill, onClose }: Props) {
  const [input, setInput] = useState({ ...emptyTaskForm, ...prefill })
  const element = useRef<HTMLFormElement>(null)
  const form = useForm({ element, values: input, onChange: setInput, limits: taskFieldLimits })
  const creation = useCreateTask({ failure: 'Failed to create task.', onCreated: onClose })
  const submit = () => {
    if (input.title.trim() === '') return form.refuse(titleRequired)
    form.accept()
    creation.mutate(newTaskOf(input))
  }
  return (
    <FormDialog
      wide
      title="Create Task"
      label="Create Task"
      busyLabel="Creating Task..."
      isBusy={creation.isPending}
      element={element}
      className="task-form"
      onSubmit={submit}
      onClose={onClose}
    >
      <TaskFields form={form} />
    </FormDialog>
  )
}
