import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import {
  checkEmployeeForm,
  employeeFieldErrors,
  employeeFieldLimits,
  type EmployeeForm,
  employeeOf,
} from '#domain/shop/employee-form.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import {
  rebaseDraft,
  changedNames,
  changeDraft,
  type Draft,
  type Saved,
  displayedValues,
} from '../kit/draft.ts'
import { reasonOf, toastFailure, toastRefusal } from '../kit/save-errors.ts'
import { addMember, changeMember, listTeam, type TeamMember } from './team-api.ts'
import { useUnsavedChanges } from '#web/dashboard/kit/navigation/unsaved-changes.ts'

/** The errors for refusals of the database, by constraint. */
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

/** Returns a function that refetches everything that shows team members. */
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
  /** The current record of the team member; undefined for a new one. */
  member: TeamMember | undefined
  onSaved: () => void
}

/** The draft of a team member and its saving. */
export function useMemberEditor({ element, member, onSaved }: Use) {
  const readTeamAgain = useRefetchTeam()
  const saved = savedOf(member)
  const [draft, setDraft] = useState<Draft<EmployeeForm>>()
  const form = useForm<EmployeeForm>({
    element,
    values: displayedValues(draft, saved),
    onChange: (change) => setDraft((before) => changeDraft(before, saved, change)),
    limits: employeeFieldLimits,
  })
  const memberName = member?.name ?? 'new employee'
  useUnsavedChanges(
    (draft ? changedNames(draft) : []).map((name) => `${labels[name]} of ${memberName}`),
  )

  const saving = useMutation({
    mutationFn: (sent: Draft<EmployeeForm>) => write(member, sent),
    onSuccess: async (isSaved) => {
      await readTeamAgain()
      if (!isSaved) return showVersionConflict()
      toast({ title: 'Saved', description: 'Tasks now show the new name.' })
      onSaved()
    },
    onError: (error) => {
      const fieldErrors = refusals[reasonOf(error)]
      if (fieldErrors) refuse(fieldErrors)
      else toastFailure(error)
    },
  })

  async function showVersionConflict() {
    const now = (await listTeam()).find(({ id }) => id === member?.id)
    setDraft((before) => before && now && rebaseDraft(before, savedOf(now)))
  }

  function refuse(errors: Partial<EmployeeForm>) {
    toastRefusal(errors)
    form.complain(errors)
  }

  function save() {
    if (saving.isPending) return
    const sent = draft ?? { base: saved.form, values: saved.form, version: saved.version }
    const errors = checkEmployeeForm(sent.values)
    if (Object.keys(errors).length > 0) return refuse(errors)
    if (!draft) return onSaved()
    form.accept()
    saving.mutate(sent)
  }

  return {
    form,
    save,
    isSaving: saving.isPending,
    missedChanges: draft ? saved.version - (draft.since ?? draft.version) : 0,
  }
}

async function write(member: TeamMember | undefined, { values, version }: Draft<EmployeeForm>) {
  if (member) return changeMember({ id: member.id, version }, employeeOf(values))
  await addMember(values)
  return true
}
