import { type FormEvent, useId, useState } from 'react'
import { tabletPath } from '#contracts/dashboard-paths.ts'
import { tabletEndpoints } from '#contracts/tablets.ts'
import { useConfirmedCall } from '#web/dashboard/kit/step-up/use-confirmed-call.tsx'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Input } from '#web/ui/field/field.tsx'

/** Registers this browser as a shared tablet, after step-up authentication, and leaves the dashboard. */
export function EnrollDialog({ onClose }: { onClose: () => void }) {
  const formId = useId()
  const [name, setName] = useState('Bay tablet')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const { run, dialog } = useConfirmedCall()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    if (name.trim() === '') return setError('Please enter a name.')
    setBusy(true)
    const call = () => callAsAdmin(tabletEndpoints.enroll, { name: name.trim() })
    const result = await run('enroll a tablet', call)
    if (result?.ok) return location.assign(tabletPath)
    setBusy(false)
    if (result) setError(result.refusal.message || 'The server did not respond. Try again.')
  }
  if (dialog) return dialog
  return (
    <Dialog
      open
      size="small"
      title="Enroll a tablet"
      busy={isBusy}
      onClose={onClose}
      footer={
        <>
          <Button compact disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button compact level="strong" type="submit" form={formId} busy={isBusy && 'Enrolling…'}>
            Enroll this browser
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)}>
        <Input
          label="Name of this tablet"
          hint="This browser becomes the tablet, and you are signed out here. It then opens by PIN only."
          required
          maxLength={40}
          autoComplete="off"
          data-first-focus
          value={name}
          error={error}
          onChange={({ target }) => {
            setName(target.value)
            setError(undefined)
          }}
        />
      </form>
    </Dialog>
  )
}
