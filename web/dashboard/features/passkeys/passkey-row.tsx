import { useState } from 'react'
import type { Passkey } from '#contracts/passkeys.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { KeyIcon } from '#web/dashboard/kit/controls/key-icon.tsx'
import { RemovePasskeyDialog } from './remove-passkey-dialog.tsx'
import { RenamePasskeyDialog } from './rename-passkey-dialog.tsx'
import { formatInstantDate, shopToday } from '#domain/calendar/shop-time.ts'

/** A row with the name of a passkey and the buttons that rename or remove the passkey. */
export function PasskeyRow({
  passkey,
  readAt,
  onAdd,
}: {
  passkey: Passkey
  /** The time at which the page read the list of passkeys. */
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

/** The days on which the user created and last used a passkey: 'Created Nov 3, 2026. Used today.' */
function describeUse({ createdAt, lastUsedAt, formerHost }: Passkey, now: Date): string {
  const made = `Created ${formatInstantDate(createdAt)}.`
  const used = lastUsedAt === null ? 'Not used yet.' : `Used ${dayOf(lastUsedAt, now)}.`
  return formerHost === null ? `${made} ${used}` : `${made} ${used} Works at ${formerHost} only.`
}

function dayOf(instant: string, now: Date): string {
  return shopToday(new Date(instant)) === shopToday(now) ? 'today' : formatInstantDate(instant)
}
