import { type FormEvent, useId, useState } from 'react'
import { roleNames, type StaffRole } from '#contracts/staff-accounts.ts'
import { teamCommands } from '#contracts/team.ts'
import { isEmailAddress } from '#domain/customers/email-address.ts'
import { StepUpDialog } from '#web/dashboard/kit/step-up/step-up-dialog.tsx'
import { useConfirmedCommand } from '#web/dashboard/kit/step-up/use-confirmed-command.ts'
import { randomUuid } from '#web/lib/random-uuid.ts'
import { Button } from '#web/ui/button/button.tsx'
import { SidePanel } from '#web/ui/dialog/dialog.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { AddressTaken } from './address-taken.tsx'
import type { StaffAccount } from './accounts-api.ts'
import { RoleChoice } from './role-choice.tsx'

/** The invited person: a new person, an employee without a sign-in, or a team member whose sign-in is renewed. */
export type Invited = {
  readonly name: string
  readonly email: string
  readonly account?: StaffAccount
}

type Props = {
  invited: Invited
  accounts: readonly StaffAccount[]
  onSwitchOn: (account: StaffAccount) => void
  onClose: () => void
}

/** The panel that emails an invitation link. If the request fails, the form keeps its input. */
export function InvitePanel({ invited, accounts, onSwitchOn, onClose }: Props) {
  const formId = useId()
  const form = useInvitation(invited, onClose)
  const { account } = invited
  return (
    <>
      <SidePanel
        open
        title={account ? `New invitation for ${account.name}` : 'Invite a person'}
        busy={form.isBusy}
        onClose={onClose}
        footer={
          <>
            <Button compact disabled={form.isBusy} onClick={onClose}>
              Cancel
            </Button>
            <Button
              compact
              level="primary"
              type="submit"
              form={formId}
              busy={form.isBusy && 'Sending…'}
            >
              Send invitation
            </Button>
          </>
        }
      >
        <form id={formId} className="invite-form" noValidate onSubmit={form.submit}>
          {!account && (
            <Input label="Name" maxLength={80} data-first-focus {...form.field('name')} />
          )}
          <Input
            label="Email"
            type="email"
            maxLength={254}
            readOnly={account?.email != null}
            data-first-focus={account ? true : undefined}
            {...form.field('email')}
          />
          {!account && <RoleChoice value={form.role} onChange={form.setRole} />}
          <AddressTaken error={form.error} email={form.email} {...{ accounts, onSwitchOn }} />
          <Notice title="The link works once, for 72 hours">
            {account
              ? 'The link sets a new password and ends every session. You can take back an unused invitation.'
              : `${form.firstName} sets a password with the link. You can take back an unused invitation.`}
          </Notice>
        </form>
      </SidePanel>
      {form.confirmation && (
        <StepUpDialog action={`invite ${form.name} as an owner`} {...form.confirmation} />
      )}
    </>
  )
}

type Errors = { name?: string; email?: string }

function useInvitation(
  { name: knownName, email: knownEmail, account }: Invited,
  onDone: () => void,
) {
  const [values, setValues] = useState({ name: knownName, email: knownEmail })
  const [role, setRole] = useState<StaffRole>(account?.role ?? 'advisor')
  const [errors, setErrors] = useState<Errors>({})
  const [invitationId] = useState(randomUuid)
  const endpoint = role === 'owner' ? teamCommands.inviteOwner : teamCommands.invite
  const command = useConfirmedCommand(
    endpoint,
    'settings',
    ({ username, isEmailSetUp }, { email }) => {
      toast(
        isEmailSetUp
          ? {
              title: 'Invitation sent',
              description: `${email} gets the link. Username: ${username}. Role: ${roleNames[role]}.`,
            }
          : {
              title: 'Email is not set up. Messages are kept in the outbox.',
              description: `Give the team member the link: it is in the outbox, under Email. Username: ${username}.`,
            },
      )
      onDone()
    },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = findErrors(values)
    setErrors(found)
    if (Object.keys(found).length > 0 || command.isBusy) return
    const { name, email } = values
    command.run({ invitationId, accountId: account?.id ?? null, name, email, role })
  }
  const field = (key: 'name' | 'email') => ({
    name: key,
    required: true,
    autoComplete: 'off',
    value: values[key],
    error: errors[key],
    onChange: ({ target }: { target: { value: string } }) => {
      setValues({ ...values, [key]: target.value })
      setErrors({})
    },
  })
  const firstName = values.name.trim().split(/\s+/)[0] || 'The person'
  return { ...command, ...values, firstName, role, setRole, submit, field }
}

function findErrors({ name, email }: { name: string; email: string }): Errors {
  return {
    ...(name.trim() === '' && { name: 'Please enter a name.' }),
    ...(!isEmailAddress(email) && { email: 'Please enter an email address.' }),
  }
}
