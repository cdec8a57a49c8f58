import { teamCommands } from '#contracts/team.ts'
import { accepted, refused } from '#domain/result.ts'
import { rowsAs } from '@local/postgres'
import { defineCommand } from '#server/features/commands/run-command.ts'

/**
 * Changes the role of a staff account. Refuses if the current role is not `seenRole`, the one that the client
 * displayed.
 */
export const changeRoleCommand = defineCommand(teamCommands.changeRole, {
  async asStaff(query, { accountId, seenRole, role }) {
    const changed = await query(
      'update public.staff_accounts set role = $3 where user_id = $1 and role = $2 returning user_id',
      [accountId, seenRole, role],
    )
    return changed.length === 1 ? accepted(undefined) : refused({ code: 'TEAM_CHANGED' })
  },
  asServer: async () => accepted({}),
})

/** Renames a staff account and its employee record, so that tasks show the same name. */
export const renameCommand = defineCommand(teamCommands.rename, {
  async asStaff(query, { accountId, name }) {
    const [changed] = await query(
      'update public.staff_accounts set name = $2 where user_id = $1 returning employee_id',
      [accountId, name],
    )
    if (!changed) return refused({ code: 'TEAM_CHANGED' })
    await query('update public.employees set name = $2 where id = $1', [changed.employee_id, name])
    return accepted(undefined)
  },
  asServer: async () => accepted({}),
})

/**
 * Deactivates a staff account. In the same transaction, the database ends the sessions of the account and revokes its
 * invitations.
 */
export const switchOffCommand = defineCommand(teamCommands.switchOff, {
  async asStaff(query, { accountId, giveTasksTo }) {
    const [row] = rowsAs<{ given: number }>(
      await query('select public.switch_staff_off($1, $2) as given', [accountId, giveTasksTo]),
    )
    return accepted(row?.given ?? 0)
  },
  asServer: async (_query, _input, givenTasks) => accepted({ givenTasks }),
})

export const switchOnCommand = defineCommand(teamCommands.switchOn, {
  async asStaff(query, { accountId }) {
    await query('select public.switch_staff_on($1)', [accountId])
    return accepted(undefined)
  },
  asServer: async () => accepted({}),
})
