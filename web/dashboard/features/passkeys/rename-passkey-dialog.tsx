import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Passkey } from '#contracts/passkeys.ts'
import { FormDialog } from '#web/dashboard/kit/controls/form-dialog.tsx'
import { DeviceName } from './device-name.tsx'
import { passkeysKey, renamePasskey } from './passkeys-api.ts'

export function RenamePasskeyDialog({
  passkey,
  onClose,
}: {
  passkey: Passkey
  onClose: () => void
}) {
  const queries = useQueryClient()
  const [name, setName] = useState(passkey.name)
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = async () => {
    if (name.trim() === '') return setError('Enter a name.')
    setBusy(true)
    const result = await renamePasskey(passkey.id, name)
    setBusy(false)
    if (!result.ok)
      return setError(result.refusal.message || 'The server did not respond. Try again.')
    await queries.invalidateQueries({ queryKey: passkeysKey })
    onClose()
  }
  return (
    <FormDialog
      title="Rename the passkey"
      label="Save"
      busyLabel="Saving…"
      isBusy={isBusy}
      tone="strong"
      onSubmit={() => void submit()}
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
  )
}
