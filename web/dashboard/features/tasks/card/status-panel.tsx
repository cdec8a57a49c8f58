import { useId, useState } from 'react'
import type { Task } from '#contracts/tasks.ts'
import { taskStatuses, taskStatusLabel, type TaskStatus } from '#domain/tasks/task-status.ts'
import { SidePanel } from '#web/ui/dialog/dialog.tsx'
import { Input, Select, TextArea } from '#web/ui/field/field.tsx'
import { FormActions } from '#web/dashboard/kit/controls/form-actions.tsx'
import { useTask } from '../use-task.ts'
import type { TaskActions } from './use-task-actions.ts'

/**
 * Changes a task from any status to any other. If staff leave the status unchanged, the panel only adds their note to
 * the log.
 */
export function StatusPanel(props: { task: Task; actions: TaskActions; onClose: () => void }) {
  const { actions, onClose } = props
  const formId = useId()
  const task = useTask(props.task)
  const [chosen, setChosen] = useState<TaskStatus>()
  const status = chosen ?? task.status
  const [note, setNote] = useState('')
  const noteForCustomer = status === task.status ? task.customer_note : ''
  const [input, setInput] = useState<string>()
  const customerNote = (input ?? noteForCustomer).trim()
  const changesNothing =
    status === task.status && note.trim() === '' && customerNote === noteForCustomer
  const submit = async () => {
    if (await actions.setStatus(task, status, note, customerNote)) onClose()
  }
  return (
    <SidePanel
      open
      title="Update Task Status"
      busy={actions.isBusy}
      onClose={onClose}
      footer={
        <FormActions
          label="Update Status"
          busyLabel="Updating..."
          isBusy={actions.isBusy}
          disabled={changesNothing}
          onCancel={onClose}
          form={formId}
        />
      }
    >
      <form
        id={formId}
        className="task-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <p>
          <b>{task.title}</b>
          <br />
          <span className="muted" aria-live="polite">
            Now: {taskStatusLabel(task.status)}
          </span>
        </p>
        <Select
          label="Status"
          value={status}
          onChange={(event) => setChosen(event.target.value as TaskStatus)}
        >
          {taskStatuses.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
        {task.booking_id !== null && (
          <Input
            label="For the customer (optional)"
            maxLength={80}
            hint="The customer sees this next to the status, for example: pads arrive Friday."
            value={input ?? noteForCustomer}
            onChange={(event) => setInput(event.target.value)}
          />
        )}
        <TextArea
          label="Notes (optional)"
          rows={4}
          maxLength={2000}
          hint="Keep the current status to add only a note."
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      </form>
    </SidePanel>
  )
}
