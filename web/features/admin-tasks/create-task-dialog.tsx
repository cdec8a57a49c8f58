import { useRef, useState } from 'react'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { emptyTaskForm, TaskFields } from './task-form.tsx'
import { useCreateTask } from './use-create-task.ts'
import './tasks.css'

const titleRequired = 'Task title is required.'

type Props = {
  /** What is known already, for example from a quote request. */
  prefill?: { title: string; description: string } | undefined
  onClose: () => void
}

/** A task from scratch. */
export function CreateTaskDialog({ prefill, onClose }: Props) {
  const [form, setForm] = useState({ ...emptyTaskForm, ...prefill })
  const fields = useRef<HTMLDivElement>(null)
  const [titleError, setTitleError] = useState<string>()
  const creation = useCreateTask({ failure: 'Failed to create task.', onCreated: onClose })
  const submit = () => {
    if (form.title.trim() === '') {
      setTitleError(titleRequired)
      toast({ title: 'Validation Error', description: titleRequired, variant: 'destructive' })
      fields.current?.querySelector('input')?.focus()
      return
    }
    setTitleError(undefined)
    creation.mutate({
      title: form.title.trim(),
      description: form.description.trim(),
      priority: form.priority,
      assigned_to: form.assignedTo || null,
      due_date: form.dueDate || null,
    })
  }
  return (
    <Dialog
      open
      title="Create Task"
      busy={creation.isPending}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="ab" disabled={creation.isPending} onClick={onClose}>
            Cancel
          </button>
          <button type="button" className="ab go" disabled={creation.isPending} onClick={submit}>
            {creation.isPending ? 'Creating Task...' : 'Create Task'}
          </button>
        </>
      }
    >
      <div ref={fields}>
        <TaskFields form={form} onChange={setForm} titleError={titleError} />
      </div>
    </Dialog>
  )
}
