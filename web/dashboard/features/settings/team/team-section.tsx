import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { discardThen } from '#web/dashboard/kit/navigation/unsaved-changes.ts'
import { EmptyState } from '#web/ui/empty-state/empty-state.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { MemberEditor } from './member-editor.tsx'
import type { Invited } from './invite-panel.tsx'
import { MemberRow } from './member-row.tsx'
import { AccountsCard } from './accounts-card.tsx'
import { TabletsCard } from './tablets-card.tsx'
import { RoleTable } from './role-table.tsx'
import { useAccounts } from './use-accounts.ts'
import { useTablets } from './use-tablets.ts'
import { SectionBody } from '../kit/section-body.tsx'
import { SectionHistory } from '../kit/history/section-history.tsx'
import { listTeam } from './team-api.ts'
import { pollMs } from '../kit/poll-ms.ts'
import './team-section.css'

/** The id of the edited team member, or 'new'. */
type Editing = string | undefined

/**
 * The settings section of the team: the team members with a sign-in, the employees without a sign-in, and the rights of
 * each role.
 */
export function TeamSection() {
  const [invited, setInvited] = useState<Invited>()
  // All cards appear together, so that a list that loads later does not move the buttons below it.
  const isLoading = [useAccounts(), useTeam(), useTablets()].some(({ isPending }) => isPending)
  return (
    <SectionBody history={<SectionHistory sections={['team']} />}>
      {isLoading ? (
        <Skeleton className="settings-skeleton" />
      ) : (
        <>
          <AccountsCard invited={invited} onInvite={setInvited} />
          <EmployeesCard onInvite={setInvited} />
          <TabletsCard />
          <RoleTable />
        </>
      )}
    </SectionBody>
  )
}

const useTeam = () =>
  useQuery({ queryKey: ['settings', 'team'], queryFn: listTeam, refetchInterval: pollMs })

/** The employees without a sign-in, to whom tasks can be assigned. */
function EmployeesCard({ onInvite }: { onInvite: (invited: Invited) => void }) {
  const known = useAccounts()
  const team = useTeam()
  const [editing, setEditing] = useState<Editing>()
  const [closed, setClosed] = useState<Editing>()
  const addButton = useRef<HTMLButtonElement>(null)
  const close = () => {
    if (editing === 'new') addButton.current?.focus()
    setClosed(editing)
    setEditing(undefined)
  }
  // Asks the user before unsaved changes in another editor are discarded.
  const edit = (next: Editing) => discardThen(() => setEditing(next))
  const withSignIn = new Set(known.data?.accounts.map(({ employeeId }) => employeeId))
  const employees = known.data && team.data?.filter(({ id }) => !withSignIn.has(id))
  return (
    <section className="card settings-card">
      <div className="team-head">
        <h3>Team members without a sign-in</h3>
        <Button ref={addButton} compact onClick={() => edit('new')}>
          <Icon name="plus" />
          Add without a sign-in
        </Button>
      </div>
      <p className="hint">
        These employees get tasks, but nobody sees who did a task. Invite them, or leave them as
        they are. Deactivate an employee who leaves. The name stays on the tasks.
      </p>
      {editing === 'new' && <MemberEditor onClose={close} />}
      {!employees && (
        <LoadFailure
          title="The team could not be loaded."
          onRetry={() => void Promise.all([known.refetch(), team.refetch()])}
        />
      )}
      {employees?.length === 0 && editing !== 'new' && (
        <EmptyState dashed title="Nobody works here without a sign-in." />
      )}
      <ul className="team" aria-label="Team">
        {employees?.map((member) => (
          <li key={member.id}>
            {editing === member.id ? (
              <MemberEditor member={member} onClose={close} />
            ) : (
              <MemberRow
                member={member}
                isInitiallyFocused={closed === member.id}
                onEdit={() => edit(member.id)}
                onInvite={() => onInvite({ name: member.name, email: member.email })}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
