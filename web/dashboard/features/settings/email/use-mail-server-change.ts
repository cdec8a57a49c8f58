import { type MailServerInput, setupEndpoints } from '#contracts/setup.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'
import { useSecretChange } from '../kit/use-secret-change.ts'

/**
 * Saves or removes the mail server of the shop. While `confirmation` is set, the save or the removal waits for step-up
 * authentication.
 */
export function useMailServerChange(onSaved: () => void) {
  return useSecretChange({
    save: async (input: MailServerInput) =>
      orThrow(await callAsAdmin(setupEndpoints.saveMailServer, input)),
    remove: async () => orThrow(await callAsAdmin(setupEndpoints.removeMailServer)),
    onSaved() {
      onSaved()
      return { title: 'Saved', description: 'The mail server accepted the test message.' }
    },
    onRemoved: () => ({ title: 'Removed', description: 'Emails are kept in the outbox.' }),
    actions: {
      save: 'change the mail server of the shop',
      remove: 'remove the mail server of the shop',
    },
  })
}
