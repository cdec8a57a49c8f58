import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useConfirmedCall } from '#web/dashboard/kit/step-up/use-confirmed-call.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { askForRegistration, makePasskey, passkeysKey } from './passkeys-api.ts'

type Props = {
  /** The names of the browser and its operating system, which the dialog proposes as the name of the passkey. */
  device: string
  onClose: () => void
}

/** Creates a passkey on this device. The user gives the passkey a name. */
export function AddPasskeyDialog({ device, onClose }: Props) {
  const formId = useId()
  const [name, setName] = useState(device)
  const { make, isBusy, error, setError, dialog } = useNewPasskey(onClose)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return setError('Enter a name.')
    void make(name)
  }
  return (
    <>
      <Dialog
        open
        size="small"
        title="Make a passkey"
        busy={isBusy}
        onClose={onClose}
        footer={
          <>
            <Button compact disabled={isBusy} onClick={onClose}>
              Cancel
            </Button>
            <Button
              compact
              level="strong"
              type="submit"
              form={formId}
              busy={isBusy && 'Waiting for your device…'}
            >
              Make a passkey
            </Button>
          </>
        }
      >
        <p>
          Your fingerprint, your face or the PIN of this device. Nothing to remember, nothing to
          steal.
        </p>
        <form id={formId} noValidate onSubmit={submit}>
          <Input
            label="Name of this device"
            autoComplete="off"
            maxLength={60}
            required
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
      {dialog}
    </>
  )
}

/**
 * Creates a passkey: gets a challenge from the server, after a step-up if needed, and asks the device for the passkey.
 */
function useNewPasskey(onDone: () => void) {
  const queries = useQueryClient()
  const { run, dialog } = useConfirmedCall()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const request = async (name: string) => {
    const started = await run('add a passkey', askForRegistration)
    if (!started) return
    if (!started.ok) {
      return setError(started.refusal.message || 'The server did not respond. Try again.')
    }
    const problem = await makePasskey(started.value.options, name)
    if (problem !== undefined) return setError(problem)
    await queries.invalidateQueries({ queryKey: passkeysKey })
    toast({ title: 'Passkey added', description: `Next time: Use a passkey.` })
    onDone()
  }
  const make = async (name: string) => {
    setBusy(true)
    setError(undefined)
    try {
      await request(name)
    } finally {
      setBusy(false)
    }
  }
  return { make, isBusy, error, setError, dialog }
}
