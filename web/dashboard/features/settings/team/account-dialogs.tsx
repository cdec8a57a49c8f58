import { StepUpDialog } from '#web/dashboard/kit/step-up/step-up-dialog.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { type Invited, InvitePanel } from './invite-panel.tsx'
import type { StaffAccount } from './accounts-api.ts'
import { RenameDialog } from './rename-dialog.tsx'
import { SwitchOffDialog } from './switch-off-dialog.tsx'
import type { AccountCommands } from './use-account-commands.ts'

export type OpenDialog =
  | { readonly kind: 'rename' | 'switch off'; readonly account: StaffAccount }
  | { readonly kind: 'last owner' }

type Props = {
  accounts: readonly StaffAccount[]
  commands: AccountCommands
  dialog: OpenDialog | undefined
  invited: Invited | undefined
  onClose: () => void
  onCloseInvitation: () => void
  onLastOwner: () => void
}

/** The dialogs of the list of staff accounts; at most one is open. */
export function AccountDialogs(props: Props) {
  const { accounts, commands, dialog, invited, onClose, onCloseInvitation, onLastOwner } = props
  return (
    <>
      {invited && (
        <InvitePanel
          {...{ invited, accounts }}
          onSwitchOn={(account) => {
            onCloseInvitation()
            commands.switchOn(account)
          }}
          onClose={onCloseInvitation}
        />
      )}
      {dialog?.kind === 'rename' && <RenameDialog account={dialog.account} onClose={onClose} />}
      {dialog?.kind === 'switch off' && (
        <SwitchOffDialog account={dialog.account} {...{ onClose, onLastOwner }} />
      )}
      {dialog?.kind === 'last owner' && <LastOwnerDialog onClose={onClose} />}
      {commands.confirmation && (
        <StepUpDialog action="change the role of a team member" {...commands.confirmation} />
      )}
    </>
  )
}

function LastOwnerDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      open
      size="small"
      title="You are the only owner"
      onClose={onClose}
      footer={
        <Button compact level="strong" data-first-focus onClick={onClose}>
          Close
        </Button>
      }
    >
      <p>Make another team member an owner first. A shop always has an owner who can sign in.</p>
    </Dialog>
  )
}
