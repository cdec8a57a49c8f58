import { type RefObject, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { useForm } from '#web/lib/forms/use-form.ts'
import { useUnsavedChanges } from '#web/dashboard/kit/navigation/unsaved-changes.ts'
import type { NameOf } from './merge-fields.ts'
import { changedNames, type Saved } from './versioned-draft.ts'
import { createVersionedForm, type RecordRules } from './versioned-form.ts'

type Options<Form extends object, Row extends Saved<Form>> = RecordRules<Form, Row> & {
  /** The record as the page has it now; an empty one for a new record. */
  readonly saved: Row
  /** The element around the fields, for forms that refuse input. */
  readonly element?: RefObject<HTMLElement | null>
  /** The maximum length of each text, in characters. */
  readonly limits?: Readonly<Partial<Record<NameOf<Form>, number>>> | undefined
  /** The labels of the unsaved changes, if navigation has to ask before they are lost. */
  readonly labelsOf?: (changed: readonly NameOf<Form>[], before: Form, now: Form) => string[]
  /** Saves from the save bar 'Not saved: …'. Without it the form has its own button. */
  readonly saveBar?: { readonly save: () => void; readonly discard: () => void }
}

/** The result of `useVersionedForm`, for components that render a part of the form. */
export type VersionedForm<Form extends object, Row extends Saved<Form> = Saved<Form>> = ReturnType<
  typeof useVersionedForm<Form, Row>
>

/**
 * The form of a record that has a version: the typed values, their draft, saving over the seen version, and what someone
 * else saved meanwhile. Every form of such a record uses it, and only it handles version conflicts.
 */
export function useVersionedForm<Form extends object, Row extends Saved<Form>>(
  options: Options<Form, Row>,
) {
  const { saved, element, limits, labelsOf, saveBar } = options
  const [record] = useState(() => createVersionedForm<Form, Row>(saved, options))
  // The functions of the first render would use outdated values of their component.
  useLayoutEffect(() => record.follow(options))
  const state = useSyncExternalStore(record.subscribe, record.current)
  useLayoutEffect(() => record.receive(saved), [record, saved])
  const isAutosaved = options.autosave !== undefined
  useEffect(() => {
    record.begin()
    const saveNow = () => void (isAutosaved && record.save())
    window.addEventListener('online', saveNow)
    return () => {
      window.removeEventListener('online', saveNow)
      record.end()
    }
  }, [record, isAutosaved])

  const { draft, values } = state
  const form = useForm<Form>({
    values,
    onChange: record.change,
    ...(element && { element }),
    ...(limits && { limits }),
  })
  const changed = draft ? changedNames(draft) : []
  const isSaving = state.saving.state === 'saving'
  useUnsavedChanges(
    labelsOf && draft ? [...new Set(labelsOf(changed, draft.base, values))] : [],
    saveBar && { ...saveBar, isSaving },
  )
  return {
    ...state,
    record,
    form,
    changed,
    isSaving,
    /** The version that the user was looking at. */
    seenVersion: draft?.version ?? state.saved.version,
    /** The number of changes by others since the user began to type. */
    missedChanges:
      draft && !isSaving ? Math.max(0, state.saved.version - (draft.since ?? draft.version)) : 0,
    /** Takes the value that someone else saved for a field. */
    takeTheirs: (name: NameOf<Form>) =>
      record.change((shown) => ({ ...shown, [name]: record.current().saved.form[name] })),
  }
}
