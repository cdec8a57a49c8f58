import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { teamCommands } from '#contracts/team.ts'
import { useEmployees } from '#web/dashboard/kit/controls/employee-options.tsx'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { runCommand } from '#web/lib/data/run-command.ts'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { Select } from '#web/ui/field/field.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { countOpenTasks, type StaffAccount } from './accounts-api.ts'
import { isLastOwner, toastTeamRefusal } from './team-commands.ts'

type Props = { account: StaffAccount; onClose: () => void; onLastOwner: () => void }

/**
 * Asks the owner to confirm that a team member can no longer sign in. Lists the effects, and lets the owner assign the
 * team member's open tasks to another employee.
 */
export function SwitchOffDialog({ account, onClose, onLastOwner }: Props) {
  const { id, name, employeeId } = account
  const queries = useQueryClient()
  const [giveTasksTo, setGiveTasksTo] = useState('')
  const openTasks = useQuery({
    queryKey: ['settings', 'team', 'open tasks', id],
    queryFn: () => (employeeId === null ? 0 : countOpenTasks(employeeId)),
  })
  const switching = useMutation({
    mutationFn: () =>
      runCommand(teamCommands.switchOff, { accountId: id, giveTasksTo: giveTasksTo || null }),
    onSuccess: () => {
      toast({ title: `${name} is off`, description: 'Signed out everywhere within 5 seconds.' })
      onClose()
    },
    onError: (error) => {
      onClose()
      if (isLastOwner(error)) onLastOwner()
      else toastTeamRefusal(error)
    },
    onSettled: () =>
      Promise.all([
        refetchQueries(queries, 'settings', 'team'),
        refetchQueries(queries, 'employees'),
        refetchQueries(queries, 'tasks'),
      ]),
  })
  const count = openTasks.data ?? 0
  return (
    <ConfirmDialog
      open
      title={`Switch off ${name}?`}
      confirmLabel="Switch off"
      cancelLabel="Keep"
      busyLabel="Switching off…"
      busy={switching.isPending}
      isReady={openTasks.data !== undefined}
      onClose={onClose}
      onConfirm={() => switching.mutate()}
    >
      <ul className="switch-off-list">
        <li>Signed out everywhere within 5 seconds.</li>
        <li>Sign-in is blocked. The password and open invitations stop working.</li>
        <li>The name stays on tasks, notes and history.</li>
      </ul>
      {count > 0 && (
        <TaskReceiver
          label={`${count} open ${count === 1 ? 'task' : 'tasks'} of ${name}`}
          giverId={employeeId}
          value={giveTasksTo}
          onChange={setGiveTasksTo}
        />
      )}
      <p className="hint">You can switch {name} on again at any time.</p>
    </ConfirmDialog>
  )
}

type ReceiverProps = {
  label: string
  giverId: string | null
  value: string
  onChange: (employeeId: string) => void
}

function TaskReceiver({ label, giverId, value, onChange }: ReceiverProps) {
  const employees = useEmployees()
  return (
    <Select label={label} value={value} onChange={({ target }) => onChange(target.value)}>
      {employees.data
        ?.filter(({ id }) => id !== giverId)
        .map(({ id, name }) => (
          <option key={id} value={id}>
            Give to {name}
          </option>
        ))}
      <option value="">Leave the tasks unassigned</option>
    </Select>
  )
}
