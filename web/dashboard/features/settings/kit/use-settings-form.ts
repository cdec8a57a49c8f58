import type { RefObject } from 'react'
import {
  type FieldErrors,
  useVersionedForm,
  type VersionedFormOptions,
} from '#web/dashboard/kit/forms/use-versioned-form.ts'
import type { Saved } from '#web/dashboard/kit/forms/versioned-draft.ts'
import type { SaveOutcome } from '#web/dashboard/kit/forms/versioned-form.ts'
import { reasonOf, toastFailure, toastRefusal } from './save-errors.ts'

type Options<Form extends object> = Omit<
  VersionedFormOptions<Form>,
  'othersChanges' | 'guard' | 'onRefuse' | 'onSave'
> & {
  readonly hasSaveBar?: boolean
  /** The notice about a version conflict, which gets the focus when it appears. */
  readonly notice: RefObject<HTMLDivElement | null>
  /**
   * Returns the messages for a change that the database refused. `reason` is the violated constraint, or the hint in
   * the database's error.
   */
  readonly refusalOf: (reason: string, error: unknown) => FieldErrors<Form> | undefined
  readonly onEnd: (outcome: SaveOutcome<Form> & { readonly kind: 'saved' | 'unchanged' }) => unknown
}

/**
 * The form of a settings section. If another user changed the same settings, the form shows that user's changes, and
 * the next save includes them. A refusal by the server appears at the refused fields and in a toast.
 */
export function useSettingsForm<Form extends object>(options: Options<Form>) {
  return useVersionedForm<Form, Saved<Form>>({
    ...options,
    othersChanges: 'shown',
    guard: options.hasSaveBar ? 'save bar' : 'question',
    onRefuse: toastRefusal,
    async onSave(outcome, refuse) {
      if (outcome.kind === 'version_conflict') options.notice.current?.focus()
      if (outcome.kind === 'saved' || outcome.kind === 'unchanged') await options.onEnd(outcome)
      if (outcome.kind !== 'failed') return
      const errors = options.refusalOf(reasonOf(outcome.error), outcome.error)
      if (errors) refuse(errors)
      else toastFailure(outcome.error)
    },
  })
}
