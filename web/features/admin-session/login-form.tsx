import { type FormEvent, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Input } from '#web/ui/field.tsx'
import { toast } from '#web/ui/toast.ts'
import './session.css'
import { logIn } from './session-store.ts'

/** Username and password. What was typed stays when it is refused. */
export function LoginForm({ username: knownUsername }: { username?: string | undefined }) {
  const [username, setUsername] = useState(knownUsername ?? '')
  const [password, setPassword] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [errors, setErrors] = useState<{ username?: string; password?: string }>({})

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const missing = {
      ...(username.trim() === '' && { username: 'Please enter your username.' }),
      ...(password === '' && { password: 'Please enter your password.' }),
    }
    setErrors(missing)
    const [firstMissing] = Object.keys(missing)
    if (firstMissing) {
      event.currentTarget.querySelector<HTMLInputElement>(`[name=${firstMissing}]`)?.focus()
      return
    }
    setBusy(true)
    const refusal = await logIn(username.trim(), password)
    setBusy(false)
    if (refusal) {
      setErrors({ password: refusal.message })
      toast({ title: 'Login Error', description: refusal.message, variant: 'destructive' })
    } else {
      toast({ title: 'Login Successful' })
    }
  }

  return (
    <form className="login-fields" onSubmit={(event) => void submit(event)}>
      <Input
        label="Username"
        required
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={username}
        onChange={(event) => setUsername(event.target.value)}
        error={errors.username}
      />
      <Input
        label="Password"
        required
        type="password"
        name="password"
        autoComplete="current-password"
        data-first-focus={knownUsername ? true : undefined}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={errors.password}
      />
      <Button type="submit" level={1} wide busy={isBusy && 'Logging in...'}>
        Login
      </Button>
    </form>
  )
}
