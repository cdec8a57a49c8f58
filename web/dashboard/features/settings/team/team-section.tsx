import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { discardThen } from '#web/dashboard/kit/navigation/unsaved-changes.ts'
import { EmptyState } from '#web/ui/empty-state/empty-state.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { MemberEditor } from './member-editor.tsx'
import { MemberRow } from './member-row.tsx'
import { SectionBody } from '../kit/section-body.tsx'
import { SectionHistory } from '../kit/history/section-history.tsx'
import { listTeam } from './team-api.ts'
import { pollMs } from '../kit/poll-ms.ts'
import './team-section.css'

/** The id of the edited team member, or 'new'. */
type Editing = string | undefined

/** The team members to whom tasks can be assigned. */
export function TeamSection() {
  const team = useQuery({
    queryKey: ['settings', 'team'],
    queryFn: listTeam,
    refetchInterval: pollMs,
  })
  const [editing, setEditing] = useState<Editing>()
  const [closed, setClosed] = useState<Editing>()
  const addButton = useRef<HTMLButtonElement>(null)
  const close = () => {
    if (editing === 'new') addButton.current?.focus()
    setClosed(editing)
    setEditing(undefined)
  }
  // Asks before unsaved changes in another editor are discarded.
  const edit = (next: Editing) => discardThen(() => setEditing(next))
  return (
    <SectionBody history={<SectionHistory sections={['team']} />}>
      <section className="card settings-card">
        <div className="team-head">
          <h3>Who works here</h3>
          <Button ref={addButton} compact onClick={() => edit('new')}>
            <Icon name="plus" />
            Add employee
          </Button>
        </div>
        <p className="hint">
          Tasks can be assigned to active employees. Deactivate an employee who leaves; their tasks
          keep the name.
        </p>
        {editing === 'new' && <MemberEditor onClose={close} />}
        {!team.data &&
          (team.isError ? (
            <LoadFailure
              title="The team could not be loaded."
              onRetry={() => void team.refetch()}
            />
          ) : (
            <Skeleton className="team-skeleton" />
          ))}
        {team.data?.length === 0 && editing !== 'new' && (
          <EmptyState dashed title="No employees yet. You can create tasks but not assign them." />
        )}
        <ul className="team" aria-label="Team">
          {team.data?.map((member) => (
            <li key={member.id}>
              {editing === member.id ? (
                <MemberEditor member={member} onClose={close} />
              ) : (
                <MemberRow
                  member={member}
                  isInitiallyFocused={closed === member.id}
                  onEdit={() => edit(member.id)}
                />
              )}
            </li>
          ))}
        </ul>
      </section>
    </SectionBody>
  )
}
