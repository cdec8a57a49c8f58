import { useQueryClient } from '@tanstack/react-query'
import type { RefObject } from 'react'
import {
  checkEmployeeForm,
  employeeFieldErrors,
  employeeFieldLimits,
  type EmployeeForm,
  employeeOf,
} from '#domain/shop/employee-form.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { toast } from '#web/ui/toast/toast.ts'
import type { Saved } from '#web/dashboard/kit/forms/versioned-draft.ts'
import { useSettingsForm } from '../kit/use-settings-form.ts'
import { addMember, changeMember, listTeam, type TeamMember } from './team-api.ts'

/** The messages that the fields show when the database refused a change. The key is the violated constraint. */
const refusals: Readonly<Record<string, Partial<EmployeeForm>>> = {
  employees_name_is_text: { name: employeeFieldErrors.name },
  employees_email_is_an_address: { email: employeeFieldErrors.email },
  employees_email_key: { email: 'Another employee already has this email address.' },
}

const labels = { name: 'Name', email: 'Email' } as const

const savedOf = (member: TeamMember | undefined): Saved<EmployeeForm> => ({
  form: { name: member?.name ?? '', email: member?.email ?? '' },
  version: member?.version ?? 0,
})

/** Returns a function that refetches all data with names of team members. */
export function useRefetchTeam() {
  const queries = useQueryClient()
  return () =>
    Promise.all([
      refetchQueries(queries, 'settings', 'team'),
      refetchQueries(queries, 'settings_history'),
      refetchQueries(queries, 'employees'),
    ])
}

type Use = {
  element: RefObject<HTMLFormElement | null>
  /** The notice that gets the focus after a version conflict. */
  notice: RefObject<HTMLDivElement | null>
  /** The team member to edit; undefined for a new team member. */
  member: TeamMember | undefined
  onSaved: () => void
}

/** The form of a team member. */
export function useMemberEditor({ element, notice, member, onSaved }: Use) {
  const readTeamAgain = useRefetchTeam()
  return useSettingsForm<EmployeeForm>({
    saved: savedOf(member),
    write: async (form, version) => {
      if (!member) await addMember(form)
      const isSaved = !member || (await changeMember({ id: member.id, version }, employeeOf(form)))
      await readTeamAgain()
      return isSaved ? 'ended' : undefined
    },
    read: async () => savedOf((await listTeam()).find(({ id }) => id === member?.id)),
    element,
    notice,
    limits: employeeFieldLimits,
    check: checkEmployeeForm,
    refusalOf: (reason) => refusals[reason],
    label: (name) => `${labels[name]} of ${member?.name ?? 'new employee'}`,
    onEnd: ({ kind }) => {
      if (kind === 'saved') toast({ title: 'Saved', description: 'Tasks now show the new name.' })
      onSaved()
    },
  })
}
