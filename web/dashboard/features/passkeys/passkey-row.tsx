import { useState } from 'react'
import type { Passkey } from '#contracts/passkeys.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { KeyIcon } from '#web/dashboard/kit/controls/key-icon.tsx'
import { describeUse } from './passkey-text.ts'
import { RemovePasskeyDialog } from './remove-passkey-dialog.tsx'
import { RenamePasskeyDialog } from './rename-passkey-dialog.tsx'

/** A passkey with its name and its buttons. */
export function PasskeyRow({
  passkey,
  readAt,
  onAdd,
}: {
  passkey: Passkey
  /** When the list was read. */
  readAt: Date
  onAdd: () => void
}) {
  const [open, setOpen] = useState<'rename' | 'remove'>()
  const close = () => setOpen(undefined)
  return (
    <li>
      <KeyIcon />
      <div>
        <b>{passkey.name}</b>{' '}
        {passkey.formerHost !== null && <Badge tone="warn">former address</Badge>}
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
