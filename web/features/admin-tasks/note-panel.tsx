import { useRef, useState } from 'react'
import type { Task } from '#contracts/tasks.ts'
import { SidePanel } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/field.tsx'
import { toast } from '#web/ui/toast.ts'
import { PanelButtons } from './panel-buttons.tsx'
import type { TaskActions } from './use-task-actions.ts'

const noteRequired = 'Please enter a note to save.'

export function NotePanel(props: { task: Task; actions: TaskActions; onClose: () => void }) {
  const { task, actions, onClose } = props
  const [note, setNote] = useState('')
  const [error, setError] = useState<string>()
  const body = useRef<HTMLDivElement>(null)
  const submit = async () => {
    if (note.trim() === '') {
      setError(noteRequired)
      toast({ title: 'Note required', description: noteRequired, variant: 'destructive' })
      body.current?.querySelector('textarea')?.focus()
      return
    }
    if (await actions.addNote(task, note)) onClose()
  }
  return (
    <SidePanel
      open
      title="Add Note"
      busy={actions.isBusy}
      onClose={onClose}
      footer={
        <PanelButtons
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
      <div ref={body}>
        <TextArea
          label="Note"
          required
          rows={6}
          maxLength={2000}
          value={note}
          onChange={(event) => {
            setNote(event.target.value)
            setError(undefined)
          }}
          error={error}
        />
      </div>
    </SidePanel>
  )
}
