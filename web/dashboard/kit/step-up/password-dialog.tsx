import { type FormEvent, useId, useState } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { confirmPassword } from './confirm-password.ts'
import { PasskeyButton, type PasskeyChoice } from './passkey-choice.tsx'
import type { StepUp } from './step-up-dialog.tsx'
import { StepUpRefusal } from './step-up-refusal.tsx'

type Props = StepUp & {
  /** The passkey part of the dialog; undefined when the account has no passkey for this host name. */
  readonly passkey: PasskeyChoice | undefined
  readonly hasPassword: boolean
}

/**
 * Asks for a passkey, if there is one, or for the password before an action that requires step-up authentication. The
 * form behind the dialog preserves its input.
 */
export function PasswordDialog({ action, passkey, hasPassword, onConfirmed, onCancel }: Props) {
  const formId = useId()
  const [password, setPassword] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    if (password === '') return setMissing(true)
    setBusy(true)
    setRefusal(undefined)
    const message = await confirmPassword(password)
    setBusy(false)
    if (message === undefined) return onConfirmed()
    setRefusal(message)
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
          {hasPassword && (
            <Button
              compact
              level={passkey ? 'secondary' : 'strong'}
              type="submit"
              form={formId}
              busy={isBusy && 'Confirming…'}
            >
              {passkey ? 'Confirm with password' : 'Confirm'}
            </Button>
          )}
        </>
      }
    >
      <p>
        You are about to {action}. Confirm with your {passkey ? 'passkey' : 'password'}. It counts
        for the next 5 minutes.
      </p>
      {passkey && <PasskeyButton choice={passkey} hasPassword={hasPassword} />}
      <form id={formId} hidden={!hasPassword} noValidate onSubmit={(event) => void submit(event)}>
        <div className="step-up-status">{refusal && <StepUpRefusal message={refusal} />}</div>
        <Input
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          data-first-focus={passkey ? undefined : true}
          required
          value={password}
          error={isMissing ? 'Please enter your password.' : undefined}
          aria-invalid={isMissing || refusal !== undefined}
          onChange={({ target }) => {
            setPassword(target.value)
            setMissing(false)
          }}
        />
      </form>
    </Dialog>
  )
}
