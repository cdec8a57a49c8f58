import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'
import type { SettingsSection } from '#contracts/database.ts'
import { refetchQueries, refetchQuery } from '#web/lib/data/refetch.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { createDraftStorage, isRecord } from '#web/lib/forms/draft-storage.ts'
import {
  rebaseDraft,
  changedNames,
  changeDraft,
  type Draft,
  type FormValues,
  draftAfterSave,
  type Saved,
  displayedValues,
} from './draft.ts'
import { reasonOf, toastFailure, toastRefusal } from './save-errors.ts'
import { useUnsavedChanges } from '#web/dashboard/kit/navigation/unsaved-changes.ts'
import { pollMs } from './poll-ms.ts'

/** The error messages of the refused fields. */
export type FieldErrors<Form> = { readonly [Name in keyof Form & string]?: string }

/** A settings section that is stored as one row with a version. */
export type SettingsRow<Form extends FormValues> = {
  readonly section: SettingsSection
  /** An empty form, which defines the fields and their types. */
  readonly empty: Form
  readonly read: () => Promise<Saved<Form>>
  /**
   * Saves the row if its version is still the seen one. Returns undefined after a version conflict, and 'declined' when
   * the user cancelled.
   */
  readonly write: (form: Form, version: number) => Promise<Saved<Form> | undefined | 'declined'>
  /** The errors of the form before it is sent; empty when there are none. */
  readonly check: (form: Form) => FieldErrors<Form>
  /** The name of a changed field in the save bar: 'Shop phone'. */
  readonly label: (name: keyof Form & string, before: Form, now: Form) => string
  /** The errors for refusals of the database, by constraint or hint. */
  readonly refusals: Readonly<Record<string, FieldErrors<Form>>>
  /** The description of the success toast: when the change takes effect, and for whom. */
  readonly effect: string
  /** Maximum lengths in characters. */
  readonly limits?: Readonly<Partial<Record<keyof Form & string, number>>>
}

/** The elements that get the focus: the form with a refused field, and the notice about a version conflict. */
type FocusTargets = {
  readonly element: RefObject<HTMLFormElement | null>
  readonly notice: RefObject<HTMLDivElement | null>
}

/** What `useSettingsRow` returns. */
export type SettingsRowState<Form extends FormValues> = ReturnType<typeof useSettingsRow<Form>>

/**
 * The state of a settings section that is saved as one row. The draft survives every failed save, and a save never
 * overwrites a change that the user has not seen.
 */
export function useSettingsRow<Form extends FormValues>(
  row: SettingsRow<Form>,
  { element, notice }: FocusTargets,
) {
  const queryKey = ['settings', row.section]
  const queries = useQueryClient()
  const query = useQuery({ queryKey, queryFn: row.read, refetchInterval: pollMs })
  const saved = query.data ?? { form: row.empty, version: 0 }
  const [draft, setDraft, forgetDraft] = useDraft(row)
  const values = displayedValues(draft, saved)
  const form = useForm<Form>({
    element,
    values,
    onChange: (change) => setDraft((before) => changeDraft(before, saved, change)),
    ...(row.limits && { limits: row.limits }),
  })

  const saving = useMutation({
    mutationFn: (sent: Draft<Form>) => row.write(sent.values, sent.version),
    onSuccess: async (written, sent) => {
      if (!written) return showVersionConflict()
      // The user saw the effects of the change and cancelled.
      if (written === 'declined') return
      await queries.cancelQueries({ queryKey })
      queries.setQueryData(queryKey, written)
      setDraft((before) => before && draftAfterSave(before, sent.values, written))
      toast({ title: 'Saved', description: row.effect })
      focusBlockOf(changedNames(sent)[0])
      await refetchQueries(queries, 'settings_history')
    },
    onError: (error) => {
      const fieldErrors = row.refusals[reasonOf(error)]
      if (fieldErrors) refuse(fieldErrors)
      else toastFailure(error)
    },
  })

  async function showVersionConflict() {
    const now = await refetchQuery<Saved<Form>>(queries, queryKey)
    setDraft((before) => before && rebaseDraft(before, now))
    notice.current?.focus()
  }

  /**
   * The save bar disappears after a save or discard. If it had the focus, the focus moves to the card of the changed
   * field.
   */
  function focusBlockOf(name: string | undefined) {
    if (element.current?.contains(document.activeElement)) return
    const field = element.current?.querySelector(`[name="${name}"]`)
    field?.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true })
  }

  function refuse(errors: FieldErrors<Form>) {
    toastRefusal(errors)
    form.complain(errors)
  }

  function save() {
    if (!draft || saving.isPending) return
    const errors = row.check(values)
    if (Object.keys(errors).length > 0) return refuse(errors)
    form.accept()
    saving.mutate(draft)
  }

  function discard() {
    form.accept()
    forgetDraft()
    focusBlockOf(changed[0])
  }

  const changed = draft ? changedNames(draft) : []
  useUnsavedChanges(
    [...new Set(changed.map((name) => row.label(name, draft?.base ?? saved.form, values)))],
    { save, discard, isSaving: saving.isPending },
  )
  return {
    state: query.data
      ? ('ready' as const)
      : query.isError
        ? ('failed' as const)
        : ('loading' as const),
    retry: () => void query.refetch(),
    values,
    changed,
    form,
    save,
    /** The number of changes to the row since the user began to type. */
    missedChanges: draft ? Math.max(0, saved.version - (draft.since ?? draft.version)) : 0,
  }
}

function useDraft<Form extends FormValues>(row: SettingsRow<Form>) {
  const [draftStorage] = useState(() => createSectionDraftStorage(row))
  const [draft, setDraft] = useState(draftStorage.recall)
  useEffect(() => {
    if (draft) draftStorage.remember(draft)
    else draftStorage.forget()
  }, [draft, draftStorage])
  const forget = () => {
    // Immediately, because a navigation can unmount the component before the effect runs.
    draftStorage.forget()
    setDraft(undefined)
  }
  return [draft, setDraft, forget] as const
}

/** Stores the draft of a settings section for as long as the tab is open. */
function createSectionDraftStorage<Form extends FormValues>({ section, empty }: SettingsRow<Form>) {
  return createDraftStorage<Draft<Form>>(`settings_${section}`, (stored) => {
    if (!isRecord(stored) || typeof stored['version'] !== 'number') return undefined
    const [base, values] = [readForm(stored['base'], empty), readForm(stored['values'], empty)]
    const { since, version } = stored
    return base && values
      ? { base, values, version, ...(typeof since === 'number' && { since }) }
      : undefined
  })
}

/** The stored form, if it has every field with the expected type. */
function readForm<Form extends FormValues>(stored: unknown, empty: Form): Form | undefined {
  if (!isRecord(stored)) return undefined
  const names = Object.keys(empty)
  if (names.some((name) => typeof stored[name] !== typeof empty[name])) return undefined
  return Object.fromEntries(names.map((name) => [name, stored[name]])) as Form
}
