import { useEffect, useState } from 'react'
import { stopAsking } from '#web/dashboard/kit/passkeys/ask-device.ts'
import { logQuietly } from '#web/lib/data/log-quietly.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { confirmPasskey, readWays, type Ways } from './confirm-passkey.ts'
import { PasswordDialog } from './password-dialog.tsx'
import type { StepUp } from './step-up-dialog.tsx'

const title = 'Confirm that it is you'

/** Asks for a passkey, if the account has one here, or for the password. It opens when the server has said which. */
export function ConfirmDialog(stepUp: StepUp) {
  const [ways, setWays] = useState<Ways>()
  const [isWaiting, setWaiting] = useState(false)
  const [error, setError] = useState<string>()
  useEffect(() => {
    readWays().then(setWays, (cause: unknown) =>
      logQuietly('The passkeys could not be offered', cause),
    )
    return stopAsking
  }, [])
  const usePasskey = async () => {
    setWaiting(true)
    setError(undefined)
    const refusal = await confirmPasskey()
    setWaiting(false)
    if (refusal === undefined) return stepUp.onConfirmed()
    setError(refusal)
  }
  if (!ways) return null
  if (isWaiting) return <WaitingDialog onCancel={stopAsking} />
  const passkey = ways.passkey ? { error, onUse: () => void usePasskey() } : undefined
  return <PasswordDialog {...stepUp} passkey={passkey} hasPassword={ways.password} />
}

function WaitingDialog({ onCancel }: { onCancel: () => void }) {
  return (
    <Dialog
      open
      size="small"
      title={title}
      onClose={onCancel}
      footer={
        <Button compact data-first-focus onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <p>Look at your device. Touch the sensor or unlock it.</p>
      <Button wide busy="Waiting for your device…">
        Use a passkey
      </Button>
    </Dialog>
  )
}
