import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { cleanLine } from '#domain/text/text-input.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { reasonOf, toastFailure, toastRefusal } from '../kit/save-errors.ts'
import { useUnsavedChanges } from '#web/dashboard/kit/navigation/unsaved-changes.ts'
import { type CannedJobTitle, renameCannedJob } from './canned-jobs-api.ts'

type Props = { job: CannedJobTitle; onSaved: () => Promise<unknown>; onEnd: () => void }

const refusals: Readonly<Record<string, { title: string }>> = {
  canned_jobs_title_key: { title: 'Another canned job has this name.' },
  canned_jobs_title_is_text: { title: 'Please enter a name of at most 120 characters.' },
}

/** The form with which staff rename a canned job. */
export function CannedJobName({ job, onSaved, onEnd }: Props) {
  const element = useRef<HTMLFormElement>(null)
  const [values, onChange] = useState({ title: job.title })
  const form = useForm({ element, values, onChange, limits: { title: 120 } })
  const isOffline = useOfflineSince() !== undefined
  const title = cleanLine(values.title)
  useUnsavedChanges(title === job.title ? [] : [`Name of ${job.title}`])
  useEffect(() => element.current?.querySelector('input')?.focus(), [])
  const saving = useMutation({
    mutationFn: renameCannedJob,
    onSuccess: async () => {
      await onSaved()
      toast({ title: 'Saved', description: 'The canned job has the new name.' })
      onEnd()
    },
    onError: (error) => {
      const fieldErrors = refusals[reasonOf(error)]
      if (fieldErrors) refuse(fieldErrors)
      else toastFailure(error)
    },
  })

  function refuse(errors: { title: string }) {
    toastRefusal(errors)
    form.complain(errors)
  }

  function save() {
    if (saving.isPending || isOffline) return
    if (title === job.title) return onEnd()
    if (title === '') return refuse({ title: 'Please enter a name.' })
    saving.mutate({ id: job.id, title })
  }
  return (
    <form
      ref={element}
      className="canned-job-name"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Input {...form.field('title')} label="Name" autoComplete="off" />
      <div className="button-group">
        <Button
          type="submit"
          compact
          level="primary"
          busy={saving.isPending && 'Saving…'}
          disabled={isOffline}
        >
          Save
        </Button>
        <Button compact level="quiet" disabled={saving.isPending} onClick={onEnd}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
