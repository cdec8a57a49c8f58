import { useMutation, useQueryClient } from '@tanstack/react-query'
import { roleNames, type StaffRole } from '#contracts/staff-accounts.ts'
import { tabletEndpoints } from '#contracts/tablets.ts'
import { teamCommands } from '#contracts/team.ts'
import { useConfirmedCommand } from '#web/dashboard/kit/step-up/use-confirmed-command.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { runCommand } from '#web/lib/data/run-command.ts'
import { toast } from '#web/ui/toast/toast.ts'
import type { Invitation, StaffAccount } from './accounts-api.ts'
import { isLastOwner, isStepUpRequired, toastTeamRefusal } from './team-commands.ts'

/** The actions on staff accounts and invitations that the user performs with one press of a button. */
export function useAccountCommands(accounts: readonly StaffAccount[], onLastOwner: () => void) {
  const queries = useQueryClient()
  const onSettled = () => refetchQueries(queries, 'settings', 'team')
  const onError = (error: Error) => {
    if (isLastOwner(error)) onLastOwner()
    else if (!isStepUpRequired(error)) toastTeamRefusal(error)
  }
  const undo = useConfirmedCommand(teamCommands.changeRole, 'settings', (_done, input) =>
    announceRole(accounts, input),
  )
  const role = useConfirmedCommand(teamCommands.changeRole, 'settings', (_done, input) =>
    announceRole(accounts, input, () => undo.run(undone(input), { onError })),
  )
  const sendAgain = useMutation({
    mutationFn: ({ id }: Invitation) => runCommand(teamCommands.sendAgain, { invitationId: id }),
    onSuccess: (_done, { email }) =>
      toast({
        title: 'New link sent',
        description: `${email} gets it in a moment. The former link no longer works.`,
      }),
    onError,
    onSettled,
  })
  const takeBack = useMutation({
    mutationFn: ({ id }: Invitation) => runCommand(teamCommands.takeBack, { invitationId: id }),
    onSuccess: (_done, { name }) =>
      toast({
        title: 'Taken back',
        description: `The invitation link of ${name} no longer works.`,
      }),
    onError,
    onSettled,
  })
  const switchOn = useMutation({
    mutationFn: ({ id }: StaffAccount) => runCommand(teamCommands.switchOn, { accountId: id }),
    onSuccess: (_done, { name }) =>
      toast({ title: `${name} is active`, description: 'The former password works again.' }),
    onError,
    onSettled,
  })
  const clearPin = useMutation({
    mutationFn: async ({ id }: StaffAccount) =>
      orThrow(await callAsAdmin(tabletEndpoints.clearPin, { id })),
    onSuccess: (_done, { name }) =>
      toast({ title: 'PIN cleared', description: `${name} sets a new one in the profile.` }),
    onError: () => toast({ title: 'The PIN was not cleared. Try again.', variant: 'destructive' }),
    onSettled,
  })
  return {
    isBusy: [
      role.isBusy,
      undo.isBusy,
      sendAgain.isPending,
      takeBack.isPending,
      switchOn.isPending,
      clearPin.isPending,
    ].includes(true),
    confirmation: role.confirmation ?? undo.confirmation,
    changeRole: ({ id, role: seenRole }: StaffAccount, next: StaffRole) =>
      role.run({ accountId: id, seenRole, role: next }, { onError }),
    sendAgain: sendAgain.mutate,
    takeBack: takeBack.mutate,
    switchOn: switchOn.mutate,
    clearPin: clearPin.mutate,
  }
}

export type AccountCommands = ReturnType<typeof useAccountCommands>

type RoleChange = {
  readonly accountId: string
  readonly seenRole: StaffRole
  readonly role: StaffRole
}

const undone = ({ accountId, seenRole, role }: RoleChange): RoleChange => ({
  accountId,
  seenRole: role,
  role: seenRole,
})

function announceRole(
  accounts: readonly StaffAccount[],
  { accountId, role }: RoleChange,
  undo?: () => void,
): void {
  const name = accounts.find(({ id }) => id === accountId)?.name ?? 'This person'
  toast({
    title: `${name} is ${roleNames[role]} now`,
    description: 'Open pages apply the new role within 5 seconds.',
    ...(undo && { action: { label: 'Undo', run: undo } }),
  })
}
