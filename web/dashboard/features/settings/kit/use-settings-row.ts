import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'
import type { SettingsSection } from '#contracts/database.ts'
import { refetchQueries, refetchQuery } from '#web/lib/data/refetch.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
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
import { createDraftStorage } from './draft-storage.ts'
import { reasonOf, toastFailure, toastRefusal } from './save-errors.ts'
import { useUnsavedChanges } from './use-unsaved-changes.ts'
import { pollMs } from './poll-ms.ts'

/** The fields that are refused, each with its words. */
export type FieldErrors<Form> = { readonly [Name in keyof Form & string]?: string }

/** A section that is one row with a version, in the values of its form. */
export type SettingsRow<Form extends FormValues> = {
  readonly section: SettingsSection
  /** The form without anything in it: its fields and their kinds. */
  readonly empty: Form
  readonly read: () => Promise<Saved<Form>>
  /** Writes the row when it is still of this version; undefined when it is not. */
  readonly write: (form: Form, version: number) => Promise<Saved<Form> | undefined | 'declined'>
  /** What is wrong with it before it is sent; empty when nothing is. */
  readonly check: (form: Form) => FieldErrors<Form>
  /** What the bar calls a changed field: 'Shop phone'. */
  readonly label: (name: keyof Form & string, before: Form, now: Form) => string
  /** What the database refuses, by the name of its constraint or its hint. */
  readonly refusals: Readonly<Record<string, FieldErrors<Form>>>
  /** For whom a change takes effect and when, said once it is saved. */
  readonly effect: string
  /** Longest texts, in characters. */
  readonly limits?: Readonly<Partial<Record<keyof Form & string, number>>>
}

/** What gets the focus: a field of the form that is refused, the notice of what others changed. */
type FocusTargets = {
  readonly element: RefObject<HTMLFormElement | null>
  readonly notice: RefObject<HTMLDivElement | null>
}

/** What `useSettingsRow` returns. */
export type SettingsRowState<Form extends FormValues> = ReturnType<typeof useSettingsRow<Form>>

/**
 * A section of one row: what it shows, what was typed over it and survives every failure, and its saving, which
 * changes nothing that its writer has not seen.
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
      if (!written) return showWhatChanged()
      // Its writer was told what it would do, and thought better of it.
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

  async function showWhatChanged() {
    const now = await refetchQuery<Saved<Form>>(queries, queryKey)
    setDraft((before) => before && rebaseDraft(before, now))
    notice.current?.focus()
  }

  /** The bar goes with what it spoke of: who pressed its button goes on at the block that they changed. */
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
    /** How often the row was changed since its writer began to type over it. */
    missedChanges: draft ? Math.max(0, saved.version - (draft.since ?? draft.version)) : 0,
  }
}

function useDraft<Form extends FormValues>(row: SettingsRow<Form>) {
  const [draftStorage] = useState(() => createDraftStorage(row.section, row.empty))
  const [draft, setDraft] = useState(draftStorage.recall)
  useEffect(() => {
    if (draft) draftStorage.remember(draft)
    else draftStorage.forget()
  }, [draft, draftStorage])
  const forget = () => {
    // At once: whoever leaves now does not stay for the effect.
    draftStorage.forget()
    setDraft(undefined)
  }
  return [draft, setDraft, forget] as const
}
