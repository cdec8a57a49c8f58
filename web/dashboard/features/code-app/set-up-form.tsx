import { type FormEvent, useState } from 'react'
import { CodePicture } from '#web/dashboard/kit/payments/code-picture.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { Input } from '#web/ui/field/field.tsx'

type Props = {
  secret: string
  address: string
  /**
   * Sends the first code of the authenticator app to the server. Resolves to the reason of a refusal; undefined when
   * the authenticator app is set up.
   */
  onConfirm: (code: string) => Promise<string | undefined>
  onCancel: () => void
}

/**
 * Shows the secret for the authenticator app as a QR code and as text, and asks for the first code that the app shows.
 */
export function SetUpForm({ secret, address, onConfirm, onCancel }: Props) {
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    if (code.trim() === '') return setError('Please enter the code that the app shows.')
    setBusy(true)
    setError(await onConfirm(code))
    setBusy(false)
  }
  return (
    <form
      className="profile-form code-app-set-up"
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <CodePicture url={address} name="QR code for the authenticator app" size={136} />
      <p>
        Scan this code with an authenticator app, or type{' '}
        <b>{secret.match(/.{1,4}/g)?.join(' ')}</b>
      </p>
      <Input
        label="Code"
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        data-first-focus
        value={code}
        error={error}
        onChange={({ target }) => {
          setCode(target.value)
          setError(undefined)
        }}
      />
      <div className="code-app-buttons">
        <Button compact onClick={onCancel}>
          Cancel
        </Button>
        <Button compact level="primary" type="submit" busy={isBusy && 'Checking…'}>
          Switch on authenticator app
        </Button>
      </div>
    </form>
  )
}
