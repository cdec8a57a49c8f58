import type { RefObject } from 'react'
import type { NameOf } from '#web/dashboard/kit/forms/merge-fields.ts'
import { useVersionedForm } from '#web/dashboard/kit/forms/use-versioned-form.ts'
import type { Draft, DraftStorage, Saved } from '#web/dashboard/kit/forms/versioned-draft.ts'
import type { SaveOutcome } from '#web/dashboard/kit/forms/versioned-form.ts'
import { reasonOf, toastFailure, toastRefusal } from './save-errors.ts'

/** The error messages of the refused fields. */
export type FieldErrors<Form> = { readonly [Name in keyof Form & string]?: string }

type Options<Form extends object> = {
  readonly saved: Saved<Form>
  readonly write: (
    form: Form,
    seenVersion: number,
    draft: Draft<Form>,
  ) => Promise<Saved<Form> | 'ended' | 'declined' | undefined>
  readonly read: () => Promise<Saved<Form>>
  readonly draftStorage?: DraftStorage<Form>
  /** The form with a refused field, and the notice about a version conflict: they get the focus. */
  readonly element: RefObject<HTMLFormElement | null>
  readonly notice: RefObject<HTMLDivElement | null>
  readonly limits?: Readonly<Partial<Record<NameOf<Form>, number>>> | undefined
  /** The errors of the form before it is sent; empty when there are none. */
  readonly check: (form: Form) => FieldErrors<Form>
  /** The errors for refusals of the database, by constraint or hint. */
  readonly refusalOf: (reason: string, error: unknown) => FieldErrors<Form> | undefined
  /** The label of an unsaved field: 'Shop phone'. */
  readonly label: (name: NameOf<Form>, before: Form, now: Form) => string
  /** Whether the save bar saves it; otherwise the form has its own button. */
  readonly hasSaveBar?: boolean
  readonly onEnd: (outcome: SaveOutcome<Form> & { readonly kind: 'saved' | 'unchanged' }) => unknown
  readonly onDiscard?: (changed: readonly NameOf<Form>[]) => void
}

/**
 * The form of a setting. What someone else changed is shown before a save includes it. A refusal is shown at its fields
 * and in a toast.
 */
export function useSettingsForm<Form extends object>(options: Options<Form>) {
  const { check, refusalOf, label, hasSaveBar, notice, onEnd, onDiscard } = options
  const versioned = useVersionedForm<Form, Saved<Form>>({
    ...options,
    othersChanges: 'shown',
    labelsOf: (changed, before, now) => changed.map((name) => label(name, before, now)),
    ...(hasSaveBar && { saveBar: { save: () => void save(), discard } }),
  })
  const { record, form, changed, values } = versioned

  function refuse(errors: FieldErrors<Form>) {
    toastRefusal(errors)
    form.complain(errors)
  }

  async function save() {
    if (versioned.isSaving) return
    const errors = check(values)
    if (Object.keys(errors).length > 0) return refuse(errors)
    form.accept()
    const outcome = await record.save()
    if (outcome.kind === 'version_conflict') notice.current?.focus()
    if (outcome.kind === 'saved' || outcome.kind === 'unchanged') await onEnd(outcome)
    if (outcome.kind !== 'failed') return
    const refused = refusalOf(reasonOf(outcome.error), outcome.error)
    if (refused) refuse(refused)
    else toastFailure(outcome.error)
  }

  function discard() {
    form.accept()
    record.discard()
    onDiscard?.(changed)
  }

  return {
    ...versioned,
    save: () => void save(),
    /** What `SettingsConflictNotice` shows. */
    conflict: {
      count: versioned.missedChanges,
      overlaps: versioned.overlaps.map((name) => ({
        label: label(name, versioned.saved.form, values),
        takeTheirs: () => versioned.takeTheirs(name),
      })),
    },
  }
}
