import { useRef, useState } from 'react'
import type { Task } from '#contracts/tasks.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { SidePanel } from '#web/ui/dialog/dialog.tsx'
import { TextArea } from '#web/ui/field/field.tsx'
import { FormActions } from '#web/dashboard/kit/controls/form-actions.tsx'
import type { TaskActions } from './use-task-actions.ts'

const noteRequired = {
  title: 'Note required',
  message: 'Please enter a note to save.',
  fields: ['note'],
} as const

export function NotePanel(props: { task: Task; actions: TaskActions; onClose: () => void }) {
  const { task, actions, onClose } = props
  const [input, setInput] = useState({ note: '' })
  const element = useRef<HTMLDivElement>(null)
  const form = useForm({ element, values: input, onChange: setInput, limits: { note: 2000 } })
  const submit = async () => {
    if (input.note.trim() === '') return form.refuse(noteRequired)
    if (await actions.addNote(task, input.note)) onClose()
  }
  return (
    <SidePanel
      open
      title="Add Note"
      busy={actions.isBusy}
      onClose={onClose}
      footer={
        <FormActions
          label="Save Note"
          busyLabel="Saving..."
          isBusy={actions.isBusy}
          onCancel={onClose}
          onSubmit={() => void submit()}
        />
      }
    >
      <p>
        <b>{task.title}</b>
      </p>
      <div ref={element}>
        <TextArea {...form.field('note')} label="Note" required rows={6} />
      </div>
    </SidePanel>
  )
}
