import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type MailServerInput, setupEndpoints } from '#contracts/setup.ts'
import { isStepUpRequired, stepUpOf } from '#web/dashboard/kit/step-up/step-up-of.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { toastFailure } from '../kit/save-errors.ts'

/** Saves or removes the mail server of the shop. While `confirmation` is set, one of them waits for a step-up. */
export function useMailServerChange(onSaved: () => void) {
  const queries = useQueryClient()
  const refetch = () =>
    Promise.all([
      refetchQueries(queries, 'setup'),
      refetchQueries(queries, 'onboarding'),
      refetchQueries(queries, 'operations'),
    ])
  const save = useMutation({
    mutationFn: async (input: MailServerInput) =>
      orThrow(await callAsAdmin(setupEndpoints.saveMailServer, input)),
    async onSuccess({ outcome }) {
      if (outcome !== 'saved') return
      onSaved()
      toast({ title: 'Saved', description: 'The mail server accepted the test message.' })
      await refetch()
    },
    onError: (error) => !isStepUpRequired(error) && toastFailure(error),
  })
  const remove = useMutation({
    mutationFn: async () => orThrow(await callAsAdmin(setupEndpoints.removeMailServer)),
    async onSuccess() {
      toast({ title: 'Removed', description: 'Emails are kept in the outbox.' })
      await refetch()
    },
    onError: (error) => !isStepUpRequired(error) && toastFailure(error),
  })
  const [saving, removing] = [stepUpOf(save).confirmation, stepUpOf(remove).confirmation]
  const confirmation = saving
    ? { ...saving, action: 'change the mail server of the shop' }
    : removing && { ...removing, action: 'remove the mail server of the shop' }
  return { save, remove, confirmation }
}
