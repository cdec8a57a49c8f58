import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useConfirmedCall } from '#web/dashboard/kit/step-up/use-confirmed-call.tsx'
import { FormDialog } from '#web/dashboard/kit/controls/form-dialog.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { DeviceName } from './device-name.tsx'
import { askForRegistration, makePasskey, passkeysKey } from './passkeys-api.ts'

type Props = {
  /** The names of the browser and its operating system, which the dialog proposes as the name of the passkey. */
  device: string
  onClose: () => void
}

/** The dialog in which the user names and creates a passkey on this device. */
export function AddPasskeyDialog({ device, onClose }: Props) {
  const [name, setName] = useState(device)
  const { make, isBusy, error, setError, dialog } = useNewPasskey(onClose)
  const submit = () => {
    if (name.trim() === '') return setError('Enter a name.')
    void make(name)
  }
  return (
    <>
      <FormDialog
        title="Create a passkey"
        label="Create a passkey"
        busyLabel="Waiting for your device…"
        isBusy={isBusy}
        tone="strong"
        intro={
          <p>
            A passkey uses your fingerprint, your face or the PIN of this device. You need no
            password.
          </p>
        }
        onSubmit={submit}
        onClose={onClose}
      >
        <DeviceName
          name={name}
          error={error}
          onChange={(typed) => {
            setName(typed)
            setError(undefined)
          }}
        />
      </FormDialog>
      {dialog}
    </>
  )
}

/**
 * Creates a passkey: requests a challenge from the server, which may require step-up authentication, and asks the
 * device to create the passkey.
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
    toast({ title: 'Passkey added', description: `Next time, select “Use a passkey”.` })
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
