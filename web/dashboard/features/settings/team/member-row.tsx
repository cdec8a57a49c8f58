import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { Switch } from '#web/dashboard/kit/controls/switch.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { Button } from '#web/ui/button/button.tsx'
import { toastConflict, toastFailure } from '../kit/save-errors.ts'
import { changeMember, type TeamMember } from './team-api.ts'
import { useRefetchTeam } from './use-member-editor.ts'

type Props = {
  member: TeamMember
  /**
   * Whether the user has just closed the editor of this team member. If so, the button 'Edit' gets the focus when the
   * row appears.
   */
  isInitiallyFocused: boolean
  onEdit: () => void
  onInvite: () => void
}

/** A team member, with a switch that decides whether tasks can be assigned to them. */
export function MemberRow({ member, isInitiallyFocused, onEdit, onInvite }: Props) {
  const readTeamAgain = useRefetchTeam()
  const editButton = useRef<HTMLButtonElement>(null)
  const isOffline = useOfflineSince() !== undefined
  const switching = useMutation({
    mutationFn: (isActive: boolean) => changeMember(member, { is_active: isActive }),
    onSuccess: (isChanged, isActive) =>
      isChanged ? toast(done(member, isActive)) : toastConflict('this employee'),
    onError: toastFailure,
    onSettled: readTeamAgain,
  })
  useEffect(() => {
    if (isInitiallyFocused) editButton.current?.focus()
  }, [isInitiallyFocused])
  return (
    <div className="member">
      <div>
        <b>{member.name}</b>
        <span className="muted">{member.email}</span>
      </div>
      <Switch
        checked={switching.isPending ? switching.variables : member.is_active}
        disabled={switching.isPending || isOffline}
        aria-label={`${member.name} is active`}
        onChange={({ target }) => switching.mutate(target.checked)}
      >
        {member.is_active ? 'Active' : 'Inactive'}
      </Switch>
      <div className="member-buttons">
        <Button ref={editButton} compact level="quiet" onClick={onEdit}>
          Edit<span className="visually-hidden"> {member.name}</span>
        </Button>
        {member.is_active && (
          <Button compact disabled={isOffline} onClick={onInvite}>
            Invite<span className="visually-hidden"> {member.name}</span>
          </Button>
        )}
      </div>
    </div>
  )
}

const done = ({ name }: TeamMember, isActive: boolean) =>
  isActive
    ? { title: `${name} is active`, description: 'Tasks can now be assigned to this employee.' }
    : {
        title: `${name} is inactive`,
        description:
          'Existing tasks stay assigned to this employee. New tasks cannot be assigned to this employee.',
      }
