import { useEffect, useRef, useState } from 'react'
import type { Task } from '#contracts/tasks.ts'
import { usePanel } from '#web/dashboard/kit/navigation/use-panel.ts'
import { useOneTask } from './use-task.ts'

type Kind = 'status' | 'note'

/**
 * The side panel that changes the status or the note of a task. The URL contains the id of the task in the parameter
 * `status` or `note`. If the user opens a panel that is already open, the panel preserves its input. If the open panel
 * is saving a change, a new, empty panel replaces the open one.
 */
export function useTaskPanel(isSaving: boolean) {
  const panel = usePanel()
  const { status, note } = panel.shown
  const kind: Kind = status === undefined ? 'note' : 'status'
  const id = status ?? note
  const task = useLastTask(id)
  const [nth, setNth] = useState(0)
  const latest = useRef(nth)
  useEffect(() => {
    latest.current = nth
  })
  const open = (next: Kind, { id: nextId }: Task) => {
    const isSame = next === kind && nextId === id
    if (isSame && !isSaving) return
    setNth(nth + 1)
    if (isSame) return
    const search = { status: undefined, note: undefined, [next]: nextId }
    if (id === undefined) panel.open(search)
    else panel.replace(search)
  }
  // The end of a slow save closes the panel that started the save, but not a panel that the user has opened since.
  const close = () => {
    if (latest.current === nth) panel.close('status', 'note')
  }
  return { open, close, shown: task && { kind, task }, key: `${kind} ${id} ${nth}` }
}

/** Returns the task with an id, even after another window has deleted the task. */
function useLastTask(id: string | undefined): Task | undefined {
  const task = useOneTask(id ?? null, id !== undefined)
  const [last, setLast] = useState<Task>()
  if (task && task !== last) setLast(task)
  return last?.id === id ? last : undefined
}
