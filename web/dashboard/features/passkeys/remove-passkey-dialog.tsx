import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Passkey } from '#contracts/passkeys.ts'
import { useConfirmedCall } from '#web/dashboard/kit/step-up/use-confirmed-call.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { ConfirmDialog, Dialog } from '#web/ui/dialog/dialog.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { passkeysKey, removePasskey } from './passkeys-api.ts'

type Props = { passkey: Passkey; onClose: () => void; onAdd: () => void }

/** Asks for a confirmation before a passkey is removed, and warns when the account has no other way to sign in. */
export function RemovePasskeyDialog({ passkey, onClose, onAdd }: Props) {
  const queries = useQueryClient()
  const { run, dialog } = useConfirmedCall()
  const [isBusy, setBusy] = useState(false)
  const [code, setCode] = useState<unknown>()
  const remove = async () => {
    setBusy(true)
    const result = await run(`remove the passkey “${passkey.name}”`, () =>
      removePasskey(passkey.id),
    )
    setBusy(false)
    if (!result) return
    if (!result.ok && result.refusal.code !== 'PASSKEY_NOT_FOUND') {
      return setCode(result.refusal.code ?? 'UNAVAILABLE')
    }
    await queries.invalidateQueries({ queryKey: passkeysKey })
    toast({ title: 'Passkey removed', description: `“${passkey.name}” no longer signs you in.` })
    onClose()
  }
  if (code === 'LAST_WAY_IN') {
    return <OnlyWayIn passkey={passkey} onClose={onClose} onAdd={onAdd} />
  }
  return (
    <>
      <ConfirmDialog
        open
        title={`Remove “${passkey.name}”?`}
        cancelLabel="Keep"
        confirmLabel="Remove"
        busyLabel="Removing…"
        busy={isBusy}
        onConfirm={() => void remove()}
        onClose={onClose}
      >
        <p>You can no longer sign in with this passkey. Delete it on the device, too.</p>
        {code !== undefined && (
          <Notice tone="bad" title="Nothing was removed.">
            Try again.
          </Notice>
        )}
      </ConfirmDialog>
      {dialog}
    </>
  )
}

function OnlyWayIn({ passkey, onClose, onAdd }: Props) {
  return (
    <Dialog
      open
      size="small"
      title="This is your only way to sign in"
      onClose={onClose}
      footer={
        <>
          <Button compact onClick={onClose}>
            Close
          </Button>
          <Button
            compact
            level="strong"
            onClick={() => {
              onClose()
              onAdd()
            }}
          >
            Add a passkey
          </Button>
        </>
      }
    >
      <p>Add another passkey or a password first. Then remove “{passkey.name}”.</p>
    </Dialog>
  )
}
