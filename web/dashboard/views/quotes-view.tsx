import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { QuotesTab } from '#web/dashboard/features/quotes/quotes-tab.tsx'
import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'
import { invoicesLink } from '#web/dashboard/kit/navigation/links.ts'
import { prefillInvoice } from './invoice-prefill.ts'

const CreateTaskDialog = lazyComponent(
  async () =>
    (await import('#web/dashboard/features/tasks/form/create-task-dialog.tsx')).CreateTaskDialog,
  null,
)

/** The quote requests with the steps from them to a task and to an invoice. */
export function QuotesView() {
  const navigate = useNavigate()
  const [newTask, setNewTask] = useState<{ title: string; description: string }>()
  return (
    <>
      <QuotesTab
        onCreateTask={setNewTask}
        onCreateInvoice={(prefill) => {
          prefillInvoice(prefill)
          void navigate(invoicesLink)
        }}
      />
      {newTask && <CreateTaskDialog prefill={newTask} onClose={() => setNewTask(undefined)} />}
    </>
  )
}
