import { useQueryClient } from '@tanstack/react-query'
import type { RefObject } from 'react'
import type { NameOf } from '#web/dashboard/kit/forms/merge-fields.ts'
import { useVersionedForm } from '#web/dashboard/kit/forms/use-versioned-form.ts'
import type { Saved } from '#web/dashboard/kit/forms/versioned-draft.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { customersKey } from './use-live-customers.ts'

type Options<Form> = {
  readonly saved: Saved<Form>
  readonly write: (form: Form, seenVersion: number) => Promise<unknown>
  readonly read: () => Promise<Saved<Form>>
  readonly element: RefObject<HTMLFormElement | null>
  readonly limits: Readonly<Partial<Record<NameOf<Form>, number>>>
  /** The errors of the form before it is sent; empty when there are none. */
  readonly check: (form: Form) => { readonly [Name in NameOf<Form>]?: string }
  readonly labels: Readonly<Record<NameOf<Form>, string>>
  readonly onClose: () => void
}

/** What `SaveFailureNotice` shows about a form. */
export type CustomerFormFailure = {
  readonly error: unknown
  readonly conflict:
    | {
        readonly overlaps: readonly { readonly label: string; readonly takeTheirs: () => void }[]
        readonly keepMine: () => void
      }
    | undefined
}

/**
 * The form of a customer or a vehicle in a dialog, which closes after a save. The user is asked only when someone else
 * changed the same field.
 */
export function useCustomerForm<Form extends object>(options: Options<Form>) {
  const { check, labels, onClose } = options
  const queries = useQueryClient()
  const { record, form, values, saving, isSaving, overlaps, takeTheirs } = useVersionedForm<
    Form,
    Saved<Form>
  >({
    ...options,
    othersChanges: 'merged',
    async write(sent, seenVersion) {
      try {
        await options.write(sent, seenVersion)
      } finally {
        // After a version conflict, too: the page below the dialog shows the current record.
        await refetchQueries(queries, customersKey)
      }
      return 'ended'
    },
  })

  async function submit(save: typeof record.save) {
    const errors = check(values)
    if (Object.keys(errors).length > 0) return form.complain(errors)
    form.accept()
    const { kind } = await save()
    if (kind === 'saved' || kind === 'unchanged') onClose()
  }

  return {
    form,
    isSaving,
    save: () => void submit(record.save),
    failure: {
      error: 'error' in saving ? saving.error : undefined,
      conflict:
        saving.state === 'version_conflict'
          ? {
              overlaps: overlaps.map((name) => ({
                label: labels[name],
                takeTheirs: () => takeTheirs(name),
              })),
              keepMine: () => void submit(record.keepMine),
            }
          : undefined,
    } satisfies CustomerFormFailure,
  }
}
