import { useEffect, useRef, useState } from 'react'
import { stopAsking } from '#web/dashboard/kit/passkeys/ask-device.ts'
import { logQuietly } from '#web/lib/data/log-quietly.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { confirmPasskey, noPasskeyUsed, readWays, type Ways } from './confirm-passkey.ts'
import { PasswordDialog } from './password-dialog.tsx'
import type { StepUp } from './step-up-dialog.tsx'

const title = 'Confirm that it is you'

/**
 * The step-up dialog: asks the user to confirm their identity with a passkey, if the account has one for this host
 * name, or with the password. The dialog opens after the server has answered whether the account has a passkey and a
 * password.
 */
export function ConfirmDialog(stepUp: StepUp) {
  const [ways, setWays] = useState<Ways>()
  useEffect(() => {
    readWays().then(setWays, (cause: unknown) =>
      logQuietly('The step-up dialog could not offer passkeys', cause),
    )
    return stopAsking
  }, [])
  const { isWaiting, error, start, cancel } = usePasskeyStepUp(stepUp.onConfirmed)
  if (!ways) return null
  if (isWaiting) return <WaitingDialog onCancel={cancel} />
  const passkey = ways.passkey ? { error, onUse: () => void start() } : undefined
  return <PasswordDialog {...stepUp} passkey={passkey} hasPassword={ways.password} />
}

/**
 * Only one passkey attempt runs at a time. After the user cancels an attempt, the next one can start even if the device
 * has not yet closed the cancelled request.
 */
function usePasskeyStepUp(onConfirmed: () => void) {
  const current = useRef(0)
  const [isWaiting, setWaiting] = useState(false)
  const [error, setError] = useState<string>()
  const end = (refusal: string) => {
    setWaiting(false)
    setError(refusal)
  }
  const start = async () => {
    current.current += 1
    const attempt = current.current
    setWaiting(true)
    setError(undefined)
    const refusal = await confirmPasskey().catch((cause: unknown) => {
      logQuietly('The passkey could not be used', cause)
      return noPasskeyUsed
    })
    if (attempt !== current.current) return
    if (refusal === undefined) onConfirmed()
    else end(refusal)
  }
  const cancel = () => {
    current.current += 1
    stopAsking()
    end(noPasskeyUsed)
  }
  return { isWaiting, error, start, cancel }
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
      <p>Look at your device. Touch its sensor or unlock the device.</p>
      <Button wide busy="Waiting for your device…">
        Use a passkey
      </Button>
    </Dialog>
  )
}
