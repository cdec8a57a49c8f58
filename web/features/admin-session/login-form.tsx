import { type FormEvent, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Input } from '#web/ui/field.tsx'
import { toast } from '#web/ui/toast.ts'
import { logIn } from './session-store.ts'

/** Username and password. What was typed stays when it is refused. */
export function LoginForm({ username: knownUsername }: { username?: string | undefined }) {
  const [username, setUsername] = useState(knownUsername ?? '')
  const [password, setPassword] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    const refusal = await logIn(username.trim(), password)
    setBusy(false)
    if (refusal) {
      setError(refusal.message)
      toast({ title: 'Login Error', description: refusal.message, variant: 'destructive' })
    } else {
      toast({ title: 'Login Successful' })
    }
  }

  return (
    <form className="fields" onSubmit={(event) => void submit(event)}>
      <Input
        label="Username"
        required
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={username}
        onChange={(event) => setUsername(event.target.value)}
      />
      <Input
        label="Password"
        required
        type="password"
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={error}
      />
      <Button type="submit" level={1} wide busy={isBusy && 'Logging in...'}>
        Login
      </Button>
    </form>
  )
}
