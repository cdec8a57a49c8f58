import { useQueryClient } from '@tanstack/react-query'
import {
  useVersionedForm,
  type VersionedFormOptions,
} from '#web/dashboard/kit/forms/use-versioned-form.ts'
import type { Saved } from '#web/dashboard/kit/forms/versioned-draft.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { customersKey } from './use-live-customers.ts'

type Options<Form extends object> = Omit<VersionedFormOptions<Form>, 'write' | 'othersChanges'> & {
  readonly write: (form: Form, seenVersion: number) => Promise<unknown>
  readonly onClose: () => void
}

/**
 * The form of a customer or a vehicle in a dialog, which closes after a save. The form asks the user which value to
 * save only if someone else has changed a field that the user also changed.
 */
export function useCustomerForm<Form extends object>(options: Options<Form>) {
  const queries = useQueryClient()
  return useVersionedForm<Form, Saved<Form>>({
    ...options,
    othersChanges: 'merged',
    async write(form, seenVersion) {
      try {
        await options.write(form, seenVersion)
      } finally {
        // Refetches the data after a version conflict, too, so that the page behind the dialog shows the current
        // record.
        await refetchQueries(queries, customersKey)
      }
      return 'ended'
    },
    onSave({ kind }) {
      if (kind === 'saved' || kind === 'unchanged') options.onClose()
    },
  })
}
