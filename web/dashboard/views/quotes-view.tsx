import { useNavigate } from '@tanstack/react-router'
import { taskFromQuote } from '#web/dashboard/features/quotes/quote-text.ts'
import { findQuote } from '#web/dashboard/features/quotes/quotes-api.ts'
import { QuotesTab } from '#web/dashboard/features/quotes/quotes-tab.tsx'
import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'
import { useRecordPanel } from '#web/dashboard/kit/navigation/use-record-panel.ts'
import { invoicesLink } from '#web/dashboard/kit/navigation/links.ts'
import { prefillInvoice } from './invoice-prefill.ts'

const CreateTaskDialog = lazyComponent(
  async () =>
    (await import('#web/dashboard/features/tasks/form/create-task-dialog.tsx')).CreateTaskDialog,
  null,
)

/** The quote requests view, with buttons that create a task or an invoice from a request. */
export function QuotesView() {
  const navigate = useNavigate()
  const newTask = useRecordPanel('create', 'quotes', findQuote)
  return (
    <>
      <QuotesTab
        onCreateTask={newTask.open}
        onCreateInvoice={(prefill) => {
          prefillInvoice(prefill)
          void navigate(invoicesLink)
        }}
      />
      {newTask.record && (
        <CreateTaskDialog
          key={newTask.record.id}
          prefill={taskFromQuote(newTask.record)}
          onClose={newTask.close}
        />
      )}
    </>
  )
}
