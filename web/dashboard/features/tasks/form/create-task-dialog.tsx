import { useId, useRef, useState } from 'react'
import { useForm } from '#web/lib/forms/use-form.ts'
import { FormActions } from '#web/dashboard/kit/controls/form-actions.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
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
  const formId = useId()
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
    <Dialog
      open
      title="Create Task"
      busy={creation.isPending}
      onClose={onClose}
      footer={
        <FormActions
          label="Create Task"
          busyLabel="Creating Task..."
          isBusy={creation.isPending}
          onCancel={onClose}
          form={formId}
        />
      }
    >
      <form
        id={formId}
        ref={element}
        className="task-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TaskFields form={form} />
      </form>
    </Dialog>
  )
}
