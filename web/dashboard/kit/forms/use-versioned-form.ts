import { type RefObject, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { useForm } from '#web/lib/forms/use-form.ts'
import { useUnsavedChanges } from '#web/dashboard/kit/navigation/unsaved-changes.ts'
import type { NameOf } from './merge-fields.ts'
import { changedNames, type Saved } from './versioned-draft.ts'
import { VersionedRecord, type RecordRules, type SaveOutcome } from './versioned-form.ts'

/** The error messages of invalid fields and of fields that the server refused. */
export type FieldErrors<Form> = { readonly [Name in NameOf<Form>]?: string }

export type VersionedFormOptions<
  Form extends object,
  Row extends Saved<Form> = Saved<Form>,
> = RecordRules<Form, Row> & {
  /** The newest record that the page has read; an empty record when the form creates one. */
  readonly saved: Row
  /**
   * The element around the fields. Required if the form can refuse input, because the form then focuses the first
   * invalid field.
   */
  readonly element?: RefObject<HTMLElement | null>
  /** The maximum length of each text, in characters. */
  readonly limits?: Readonly<Partial<Record<NameOf<Form>, number>>> | undefined
  /** The label of a field, for the list of unsaved changes and the notice about a version conflict. */
  readonly label?: (name: NameOf<Form>, before: Form, now: Form) => string
  /**
   * How the form protects unsaved changes. 'question': before a navigation discards them, a dialog asks the user. 'save
   * bar': in addition, a bar offers to save or discard them.
   */
  readonly guard?: 'question' | 'save bar'
  /** Validates the form before it is sent. Returns the error messages of the invalid fields. */
  readonly check?: (form: Form) => FieldErrors<Form>
  /** Called when fields are invalid or refused. The fields themselves show the messages. */
  readonly onRefuse?: (errors: FieldErrors<Form>) => void
  /** Called after a save that the user requested; the function `refuse` shows error messages beside the fields. */
  readonly onSave?: (
    outcome: SaveOutcome<Form>,
    refuse: (errors: FieldErrors<Form>) => void,
  ) => unknown
  readonly onDiscard?: (changed: readonly NameOf<Form>[]) => void
}

/** The result of `useVersionedForm`, for components that render a part of the form. */
export type VersionedForm<Form extends object, Row extends Saved<Form> = Saved<Form>> = ReturnType<
  typeof useVersionedForm<Form, Row>
>

/** The data of the notice about a version conflict, and the functions with which the user resolves the conflict. */
export type FormConflict = VersionedForm<object>['conflict']

/**
 * The form of a record that has a version. The hook stores the typed values as a draft, saves them if the record still
 * has the version that the user was looking at, and merges changes that someone else saved since. Every form of such a
 * record uses this hook, and no other code handles version conflicts.
 */
export function useVersionedForm<Form extends object, Row extends Saved<Form>>(
  options: VersionedFormOptions<Form, Row>,
) {
  const { saved, element, limits, label = String, guard, check, onRefuse } = options
  const [record] = useState(() => new VersionedRecord<Form, Row>(saved, options))
  // Each render passes its own functions to the form, because the functions of the first render would use outdated
  // values of the component.
  useLayoutEffect(() => record.follow(options))
  const state = useSyncExternalStore(record.subscribe, record.current)
  useLayoutEffect(() => record.receive(saved), [record, saved])
  useOpenRecord(record, options.autosave !== undefined)

  const { draft, values, saving } = state
  const form = useForm<Form>({
    values,
    onChange: record.change,
    ...(element && { element }),
    ...(limits && { limits }),
  })
  const changed = draft ? changedNames(draft) : []
  const isSaving = saving.state === 'saving'
  useUnsavedChanges(
    guard && draft ? [...new Set(changed.map((name) => label(name, draft.base, values)))] : [],
    guard === 'save bar' ? { save: () => void submit(record.save), discard, isSaving } : undefined,
  )

  function refuse(errors: FieldErrors<Form>) {
    onRefuse?.(errors)
    form.complain(errors)
  }

  async function submit(save: typeof record.save) {
    if (isSaving) return
    const errors = check?.(values) ?? {}
    if (Object.keys(errors).length > 0) return refuse(errors)
    form.accept()
    const outcome = await save()
    await options.onSave?.(outcome, refuse)
  }

  function discard() {
    form.accept()
    record.discard()
    options.onDiscard?.(changed)
  }

  const missed = draft && !isSaving ? state.saved.version - (draft.since ?? draft.version) : 0
  return {
    ...state,
    record,
    form,
    changed,
    isSaving,
    /** The error of the last failed save. */
    error: 'error' in saving ? saving.error : undefined,
    /** The version on which the typed changes are based; without typed changes, the newest version of the record. */
    seenVersion: draft?.version ?? state.saved.version,
    save: () => void submit(record.save),
    conflict: {
      /**
       * Whether the form is waiting for the user to choose between two versions. Until then, the form saves nothing.
       */
      isOpen: saving.state === 'version_conflict',
      /** The number of versions that someone else saved since the user began to type. */
      count: Math.max(0, missed),
      /** The fields that the user and someone else changed to different values. */
      overlaps: state.overlaps.map((name) => ({
        label: label(name, state.saved.form, values),
        takeTheirs: () =>
          record.change((shown) => ({ ...shown, [name]: record.current().saved.form[name] })),
      })),
      keepMine: () => void submit(record.keepMine),
    },
  }
}

/**
 * Informs the form when its page opens and closes. When the browser is online again, a form with automatic saving saves
 * its draft.
 */
function useOpenRecord(
  record: { begin: () => void; end: () => void; save: () => Promise<unknown> },
  isAutosaved: boolean,
): void {
  useEffect(() => {
    record.begin()
    const saveNow = () => void (isAutosaved && record.save())
    window.addEventListener('online', saveNow)
    return () => {
      window.removeEventListener('online', saveNow)
      record.end()
    }
  }, [record, isAutosaved])
}
