import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Estimate } from '#contracts/estimates.ts'
import { readAgain } from '#web/lib/read-again.ts'
import { showSearch } from '#web/lib/use-search-params.ts'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { toast } from '#web/ui/toast.ts'
import type { Editing, EditingState } from './editing.ts'
import { deleteEstimate } from './estimates-api.ts'
import { problemWords, refusalWords } from './refusal-words.ts'
import { RecordApproval } from './record-approval.tsx'

type Props = { estimate: Estimate; editing: Editing; state: EditingState }

/** The way to the customer: what is still missing, and how the answer is had. */
export function HandOver({ estimate, editing, state }: Props) {
  const [isRecording, setIsRecording] = useState(false)
  // What is decided on is what was read: a moment after a save that is still on its way.
  const isSaved = state.saving.state === 'saved' && estimate.version === state.version
  return (
    <div className="hand-over">
      <Missing estimate={estimate} />
      <div className="hand-over-others">
        <button
          type="button"
          className="action action-quiet"
          disabled={!isSaved || estimate.problems.length > 0}
          onClick={() => setIsRecording(true)}
        >
          <Icon name="phone" />
          Approved by phone
        </button>
        {estimate.revision === 1 && <DeleteButton estimate={estimate} editing={editing} />}
      </div>
      {isRecording && (
        <RecordApproval
          estimate={estimate}
          version={state.version}
          onClose={() => setIsRecording(false)}
        />
      )}
    </div>
  )
}

/** What is to be done before it can be handed over. */
function Missing({ estimate }: { estimate: Estimate }) {
  const { problems, document } = estimate
  if (problems.length === 0) return null
  const titleOf = (key: string | null) => document.jobs.find((job) => job.key === key)?.title
  return (
    <ul className="hand-over-missing" aria-label="Before it can be sent">
      {problems.map(({ code, jobKey, line }) => (
        <li key={`${code} ${jobKey} ${line}`}>
          {titleOf(jobKey) && <b>{titleOf(jobKey)}: </b>}
          {problemWords[code]}
        </li>
      ))}
    </ul>
  )
}

function DeleteButton({ estimate, editing }: Pick<Props, 'estimate' | 'editing'>) {
  const queries = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const deletion = useMutation({
    mutationFn: () => deleteEstimate(estimate.id),
    onSuccess: async () => {
      editing.drop()
      toast({ title: `Estimate ${estimate.number} deleted.` })
      showSearch('?tab=invoices', { replace: true })
      await readAgain(queries, 'estimates')
    },
    onError: (error) =>
      toast({ title: 'Not deleted', description: refusalWords(error), variant: 'destructive' }),
  })
  return (
    <>
      <button
        type="button"
        className="action action-danger"
        disabled={deletion.isPending}
        onClick={() => setIsAsking(true)}
      >
        <Icon name="trash" />
        Delete
      </button>
      <ConfirmDialog
        open={isAsking}
        title="Delete this estimate?"
        confirmLabel="Delete"
        busyLabel="Deleting…"
        busy={deletion.isPending}
        onClose={() => setIsAsking(false)}
        onConfirm={() => deletion.mutate()}
      >
        <p>No customer was shown {estimate.number}. It is gone for good.</p>
      </ConfirmDialog>
    </>
  )
}
