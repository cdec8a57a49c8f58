import { type FormEvent, useEffect, useRef, useState } from 'react'
import { codeAppEndpoints } from '#contracts/code-app.ts'
import { callApi } from '#web/lib/data/call-api.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { readLogIn } from './session-api.ts'
import { completeLogIn } from './session-store.ts'

type Props = {
  username: string
  /** Returns to the step that asks for the password. */
  onBack: () => void
}

/** The second step of a login: a code of the authenticator app, or a recovery code (docs/product.md 6.13). */
export function CodeStep({ username, onBack }: Props) {
  const [values, setValues] = useState({ code: '' })
  const [isRecovery, setRecovery] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const form = useForm({ element, values, onChange: setValues })
  useEffect(() => element.current?.querySelector('input')?.focus(), [isRecovery])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    if (values.code.trim() === '') return form.complain({ code: 'Please enter a code.' })
    setBusy(true)
    const refusal = await sendCode(values.code)
    setBusy(false)
    if (!refusal) return toast({ title: 'Login Successful' })
    form.refuse({ title: 'Login Error', message: refusal.message, fields: ['code'] })
    if (refusal.hasEnded) onBack()
  }
  return (
    <form
      ref={element}
      className="login-fields"
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <h2>Your code</h2>
      <p>
        {isRecovery ? 'One of your recovery codes' : 'Six digits from your authenticator app'}, for{' '}
        <b>{username}</b>.
      </p>
      <Input
        key={String(isRecovery)}
        {...form.field('code')}
        label={isRecovery ? 'Recovery code' : 'Code'}
        required
        autoComplete="one-time-code"
        inputMode={isRecovery ? 'text' : 'numeric'}
        maxLength={20}
      />
      <Button type="submit" level="primary" wide busy={isBusy && 'Logging in...'}>
        Login
      </Button>
      <div className="login-other-ways">
        <Button compact level="quiet" onClick={() => setRecovery(!isRecovery)}>
          {isRecovery ? 'Use the app' : 'Use a recovery code'}
        </Button>
        <Button compact level="quiet" onClick={onBack}>
          Back
        </Button>
      </div>
    </form>
  )
}

/**
 * Signs in with a code. Returns the reason if the server refused the code; undefined after success. `hasEnded` means
 * that the password must be typed again.
 */
async function sendCode(code: string) {
  const result = await callApi(codeAppEndpoints.finishSignIn, { code })
  const hasEnded = !result.ok && result.refusal.code === 'SIGN_IN_EXPIRED'
  const refusal = await completeLogIn(readLogIn(result))
  return refusal && { ...refusal, hasEnded }
}
