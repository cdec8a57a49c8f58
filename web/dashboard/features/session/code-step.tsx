import { type FormEvent, useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { rateLimitMessage } from '#contracts/api/rate-limit-message.ts'
import { codeAppEndpoints } from '#contracts/code-app.ts'
import { callApi } from '#web/lib/data/call-api.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { announceLogIn } from './announce-log-in.ts'
import { readLogIn } from './session-api.ts'
import { completeLogIn } from './session-store.ts'
import { formatCountdown, useCountdown } from './use-countdown.ts'

const tooManyAttempts = z.object({ code: z.literal('RATE_LIMITED'), waitSeconds: z.number() })

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
  const wait = useCountdown()
  const form = useForm({ element, values, onChange: setValues })
  useEffect(() => element.current?.querySelector('input')?.focus(), [isRecovery])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || wait.seconds > 0) return
    if (values.code.trim() === '') return form.complain({ code: 'Please enter a code.' })
    setBusy(true)
    const refusal = await sendCode(values.code)
    setBusy(false)
    if (!refusal) return
    if (refusal.waitSeconds !== undefined) return wait.start(refusal.waitSeconds)
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
      <div role="alert">
        {wait.seconds > 0 && (
          <Notice tone="warn" title="Login Error">
            {rateLimitMessage(Math.ceil(wait.seconds / 60) * 60)}
          </Notice>
        )}
      </div>
      <Input
        key={String(isRecovery)}
        {...form.field('code')}
        label={isRecovery ? 'Recovery code' : 'Code'}
        required
        autoComplete="one-time-code"
        inputMode={isRecovery ? 'text' : 'numeric'}
        maxLength={20}
      />
      <Button
        type="submit"
        level="primary"
        wide
        aria-disabled={wait.seconds > 0}
        busy={isBusy && 'Logging in...'}
      >
        {wait.seconds > 0 ? `Login in ${formatCountdown(wait.seconds)}` : 'Login'}
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
 * Sends the code to the server. Returns the server's refusal; undefined after success, which a toast announces.
 * `hasEnded` is true when the user has to type the password again. `waitSeconds` is the time until the next attempt
 * after too many wrong codes.
 */
async function sendCode(code: string) {
  const result = await callApi(codeAppEndpoints.finishSignIn, { code })
  const hasEnded = !result.ok && result.refusal.code === 'SIGN_IN_EXPIRED'
  const response = readLogIn(result)
  const refusal = await completeLogIn(response)
  if (!refusal) announceLogIn(response)
  const limited = result.ok ? undefined : tooManyAttempts.safeParse(result.refusal.reply.body).data
  return refusal && { ...refusal, hasEnded, waitSeconds: limited?.waitSeconds }
}
