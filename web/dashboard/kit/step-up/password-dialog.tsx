import { type FormEvent, useId, useState } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { confirmPassword } from './confirm-password.ts'
import type { StepUp } from './step-up-dialog.tsx'

/** Asks for the password before an action that needs a step-up. The form behind the dialog keeps its input. */
export function PasswordDialog({ action, onConfirmed, onCancel }: StepUp) {
  const formId = useId()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    if (password === '') return setError('Please enter your password.')
    setBusy(true)
    const refusal = await confirmPassword(password)
    setBusy(false)
    if (refusal === undefined) return onConfirmed()
    setError(refusal)
  }
  return (
    <Dialog
      open
      size="small"
      title="Confirm that it is you"
      busy={isBusy}
      onClose={onCancel}
      footer={
        <>
          <Button compact disabled={isBusy} onClick={onCancel}>
            Back
          </Button>
          <Button compact level="strong" type="submit" form={formId} busy={isBusy && 'Confirming…'}>
            Confirm
          </Button>
        </>
      }
    >
      <p>
        You are about to {action}. Confirm with your password. It counts for the next 5 minutes.
      </p>
      <form id={formId} noValidate onSubmit={(event) => void submit(event)}>
        <Input
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          data-first-focus
          required
          value={password}
          error={error}
          onChange={({ target }) => {
            setPassword(target.value)
            setError(undefined)
          }}
        />
      </form>
    </Dialog>
  )
}
