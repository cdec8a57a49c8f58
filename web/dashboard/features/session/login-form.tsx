import { type FormEvent, useRef, useState } from 'react'
import { useForm } from '#web/lib/forms/use-form.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Input } from '#web/ui/field/field.tsx'
import '#web/dashboard/kit/passkeys/or-line.css'
import './session.css'
import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'
import { announceLogIn } from './announce-log-in.ts'
import { requestLogIn } from './session-api.ts'
import { completeLogIn } from './session-store.ts'

/** The button that signs in with a passkey. The browser loads the passkey library after the page has shown the form. */
const PasskeyLogin = lazyComponent(
  async () => (await import('./passkey-login.tsx')).PasskeyLogin,
  <>
    <p className="or-line">or</p>
    <Button wide disabled>
      Use a passkey
    </Button>
  </>,
)

/** The second login step, for an account with an authenticator app. */
const CodeStep = lazyComponent(async () => (await import('./code-step.tsx')).CodeStep, <></>)

/** The form for username and password. A failed login preserves the input. */
export function LoginForm({ username: initialUsername }: { username?: string | undefined }) {
  const [input, setInput] = useState({ username: initialUsername ?? '', password: '' })
  const [isBusy, setBusy] = useState(false)
  const [needsCode, setNeedsCode] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const form = useForm({ element, values: input, onChange: setInput })

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    const { username, password } = input
    const missing = {
      ...(username.trim() === '' && { username: 'Please enter your username.' }),
      ...(password === '' && { password: 'Please enter your password.' }),
    }
    form.complain(missing)
    if (Object.keys(missing).length > 0) return
    setBusy(true)
    const response = await requestLogIn(username.trim(), password)
    const refusal = await completeLogIn(response)
    setBusy(false)
    if (!refusal) return announceLogIn(response)
    if (refusal.needsCode) return setNeedsCode(true)
    form.refuse({ title: 'Login Error', message: refusal.message, fields: ['password'] })
  }

  if (needsCode) {
    return <CodeStep username={input.username.trim()} onBack={() => setNeedsCode(false)} />
  }
  return (
    <form ref={element} className="login-fields" onSubmit={(event) => void submit(event)}>
      <Input
        {...form.field('username')}
        label="Username"
        required
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Input
        {...form.field('password')}
        label="Password"
        required
        type="password"
        autoComplete="current-password"
        data-first-focus={initialUsername ? true : undefined}
      />
      <Button type="submit" level="primary" wide busy={isBusy && 'Logging in...'}>
        Login
      </Button>
      <PasskeyLogin />
    </form>
  )
}
