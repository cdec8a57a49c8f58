import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { Passkey } from '#contracts/passkeys.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { passkeysKey, renamePasskey } from './passkeys-api.ts'

export function RenamePasskeyDialog({
  passkey,
  onClose,
}: {
  passkey: Passkey
  onClose: () => void
}) {
  const formId = useId()
  const queries = useQueryClient()
  const [name, setName] = useState(passkey.name)
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
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
    <Dialog
      open
      size="small"
      title="Rename the passkey"
      busy={isBusy}
      onClose={onClose}
      footer={
        <>
          <Button compact disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button compact level="strong" type="submit" form={formId} busy={isBusy && 'Saving…'}>
            Save
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)}>
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
  )
}
