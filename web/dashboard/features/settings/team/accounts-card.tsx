import { useRef, useState } from 'react'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { AccountRow } from './account-row.tsx'
import { InvitationRow } from './invitation-row.tsx'
import type { Invited } from './invite-panel.tsx'
import { type OpenDialog, AccountDialogs } from './account-dialogs.tsx'
import type { TeamAccounts } from './accounts-api.ts'
import { useAccounts } from './use-accounts.ts'
import { useSignInWays } from './use-sign-in-ways.ts'
import { useAccountCommands } from './use-account-commands.ts'

const nobody: TeamAccounts = { accounts: [], invitations: [] }

type Props = {
  /** The employee whom the user invites from the list of employees. */
  invited: Invited | undefined
  onInvite: (invited: Invited | undefined) => void
}

/** The card that lists the team members with a sign-in and the open invitations. */
export function AccountsCard({ invited, onInvite }: Props) {
  const known = useAccounts()
  const { accounts, invitations } = known.data ?? nobody
  const ways = useSignInWays().data?.accounts
  const [dialog, setDialog] = useState<OpenDialog>()
  const commands = useAccountCommands(accounts, () => setDialog({ kind: 'last owner' }))
  const inviteButton = useRef<HTMLButtonElement>(null)
  const isOffline = useOfflineSince() !== undefined
  const isBusy = commands.isBusy || isOffline
  const active = accounts.filter(({ isActive }) => isActive).length
  return (
    <section className="card settings-card accounts-card" aria-labelledby="team-accounts">
      <header>
        <div>
          <h3 id="team-accounts">People</h3>
          <p>{known.data && summaryOf(active, invitations.length)}</p>
        </div>
        <Button
          ref={inviteButton}
          compact
          level="primary"
          disabled={isOffline}
          onClick={() => onInvite({ name: '', email: '' })}
        >
          <Icon name="plus" />
          Invite
        </Button>
      </header>
      {!known.data && (
        <LoadFailure title="The people could not be loaded." onRetry={() => void known.refetch()} />
      )}
      <ul className="staff-list" aria-label="People">
        {accounts.map((account) => (
          <AccountRow
            key={account.id}
            account={account}
            isDisabled={isBusy}
            onChangeRole={(role) => commands.changeRole(account, role)}
            ways={ways?.find(({ id }) => id === account.id)}
            onClearPin={() => commands.clearPin(account)}
            onSwitchOn={() => commands.switchOn(account)}
            onOpen={(kind) =>
              kind === 'invite'
                ? onInvite({ name: account.name, email: account.email ?? '', account })
                : setDialog({ kind, account })
            }
          />
        ))}
        {invitations.map((invitation) => (
          <InvitationRow
            key={invitation.id}
            invitation={invitation}
            isDisabled={isBusy}
            onSendAgain={() => commands.sendAgain(invitation)}
            onTakeBack={() => {
              // The row of a withdrawn invitation disappears together with its focused button, so the button that
              // invites a team member gets the focus.
              inviteButton.current?.focus()
              commands.takeBack(invitation)
            }}
          />
        ))}
      </ul>
      {accounts.length === 1 && invitations.length === 0 && (
        <p className="empty-box">
          You are the only team member. Invite the people at the counter and in the bays.
        </p>
      )}
      <AccountDialogs
        {...{ accounts, commands, dialog, invited }}
        onClose={() => setDialog(undefined)}
        onCloseInvitation={() => onInvite(undefined)}
        onLastOwner={() => setDialog({ kind: 'last owner' })}
      />
    </section>
  )
}

const summaryOf = (active: number, invited: number): string =>
  `${active} active${invited > 0 ? `, ${invited} invited` : ''}. A person who leaves is switched off; their name stays in history.`
