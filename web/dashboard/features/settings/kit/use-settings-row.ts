import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import type { SettingsSection } from '#contracts/database.ts'
import { createFormDraftStorage, type Saved } from '#web/dashboard/kit/forms/versioned-draft.ts'
import { refetchQueries, refetchQuery } from '#web/lib/data/refetch.ts'
import { toast } from '#web/ui/toast/toast.ts'
import type { FieldErrors } from '#web/dashboard/kit/forms/use-versioned-form.ts'
import { useSettingsForm } from './use-settings-form.ts'

/** A settings section that is stored as one database row with a version. */
export type SettingsRow<Form extends object> = {
  readonly section: SettingsSection
  /** An empty form, which defines the names and types of the fields. */
  readonly empty: Form
  readonly read: () => Promise<Saved<Form>>
  /**
   * Saves the row if nobody changed it since the user read it. Returns undefined after a version conflict, and
   * 'declined' when the user cancelled the save in a dialog.
   */
  readonly write: (form: Form, version: number) => Promise<Saved<Form> | undefined | 'declined'>
  /** The errors that the form shows before it sends a request; empty when there are none. */
  readonly check: (form: Form) => FieldErrors<Form>
  /** The name of a changed field in the save bar: 'Shop phone'. */
  readonly label: (name: keyof Form & string, before: Form, now: Form) => string
  /**
   * The messages for changes that the database refused. The key is the violated constraint, or the hint in the
   * database's error.
   */
  readonly refusals: Readonly<Record<string, FieldErrors<Form>>>
  /** The description of the success toast: when the change takes effect, and for whom. */
  readonly effect: string
  /** Maximum lengths in characters. */
  readonly limits?: Readonly<Partial<Record<keyof Form & string, number>>>
}

/**
 * The form element, in which a refused field gets the focus, and the notice about a version conflict, which gets the
 * focus when it appears.
 */
type FocusTargets = {
  readonly element: RefObject<HTMLFormElement | null>
  readonly notice: RefObject<HTMLDivElement | null>
}

/** The result of `useSettingsRow`. */
export type SettingsRowState<Form extends object> = ReturnType<typeof useSettingsRow<Form>>

export const settingsRowKey = (section: SettingsSection) => ['settings', section]

/** The form of a settings section that is stored as one database row. */
export function useSettingsRow<Form extends object>(
  row: SettingsRow<Form>,
  saved: Saved<Form>,
  { element, notice }: FocusTargets,
) {
  const queryKey = settingsRowKey(row.section)
  const queries = useQueryClient()
  const [draftStorage] = useState(() =>
    createFormDraftStorage(`settings_${row.section}`, row.empty),
  )

  async function write(form: Form, seenVersion: number) {
    const written = await row.write(form, seenVersion)
    if (!written || written === 'declined') return written
    await queries.cancelQueries({ queryKey })
    queries.setQueryData(queryKey, written)
    return written
  }

  /**
   * The save bar disappears after a save or discard. If the save bar had the focus, the card of the changed field gets
   * the focus.
   */
  function focusBlockOf(name: string | undefined) {
    if (element.current?.contains(document.activeElement)) return
    const field = element.current?.querySelector(`[name="${name}"]`)
    field?.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true })
  }

  return useSettingsForm<Form>({
    saved,
    write,
    read: () => refetchQuery(queries, queryKey),
    draftStorage,
    element,
    notice,
    limits: row.limits,
    check: row.check,
    refusalOf: (reason) => row.refusals[reason],
    label: row.label,
    hasSaveBar: true,
    onEnd: async (outcome) => {
      if (outcome.kind === 'unchanged') return
      toast({ title: 'Saved', description: row.effect })
      focusBlockOf(outcome.changed[0])
      await refetchQueries(queries, 'settings_history')
    },
    onDiscard: ([first]) => focusBlockOf(first),
  })
}
