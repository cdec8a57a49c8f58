import { useState } from 'react'
import type { Passkey } from '#contracts/passkeys.ts'
import { Button } from '#web/ui/button/button.tsx'
import { KeyIcon } from '#web/dashboard/kit/controls/key-icon.tsx'
import { describeUse } from './passkey-text.ts'
import { RemovePasskeyDialog } from './remove-passkey-dialog.tsx'
import { RenamePasskeyDialog } from './rename-passkey-dialog.tsx'

/** A row with the name of a passkey and the buttons that rename or remove it. */
export function PasskeyRow({
  passkey,
  readAt,
  onAdd,
}: {
  passkey: Passkey
  /** The time at which the page read the list. */
  readAt: Date
  onAdd: () => void
}) {
  const [open, setOpen] = useState<'rename' | 'remove'>()
  const close = () => setOpen(undefined)
  return (
    <li>
      <KeyIcon />
      <div>
        <b>{passkey.name}</b>
        <small>{describeUse(passkey, readAt)}</small>
      </div>
      <div className="button-group">
        <Button compact level="quiet" onClick={() => setOpen('rename')}>
          Rename<span className="visually-hidden"> {passkey.name}</span>
        </Button>
        <Button compact level="danger" onClick={() => setOpen('remove')}>
          Remove…<span className="visually-hidden"> {passkey.name}</span>
        </Button>
      </div>
      {open === 'rename' && <RenamePasskeyDialog passkey={passkey} onClose={close} />}
      {open === 'remove' && <RemovePasskeyDialog passkey={passkey} onClose={close} onAdd={onAdd} />}
    </li>
  )
}
