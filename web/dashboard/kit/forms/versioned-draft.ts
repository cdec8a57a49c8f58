import { createDraftStorage, isRecord } from '#web/lib/forms/draft-storage.ts'
import {
  type FieldMerges,
  isSame,
  mergeFields,
  type Merged,
  type NameOf,
  namesOf,
} from './merge-fields.ts'

/** A saved record as form values, with its version. */
export type Saved<Form> = { readonly form: Form; readonly version: number }

/** The typed values of a form, and the record that the user saw when typing began. */
export type Draft<Form> = {
  readonly base: Form
  readonly values: Form
  /** The version of the record that the user saw when typing began. */
  readonly version: number
  /**
   * The version that the user saw when typing began; undefined if the draft is still based on that version. The notice
   * about someone else's changes lists all changes since that version.
   */
  readonly since?: number
  /**
   * The fields that both the user and someone else changed, after the form has shown the user the other person's
   * change.
   */
  readonly overlaps?: readonly NameOf<Form>[]
}

/** Returns the names of the fields in which the draft differs from the record that the user saw when typing began. */
export function changedNames<Form extends object>({ base, values }: Draft<Form>): NameOf<Form>[] {
  return namesOf(values).filter((name) => !isSame(values[name], base[name]))
}

/** Returns the typed values of the changed fields only. */
export function changedValues<Form extends object>(draft: Draft<Form>): Partial<Form> {
  const values: Partial<Form> = {}
  for (const name of changedNames(draft)) values[name] = draft.values[name]
  return values
}

/** The values that the form displays: the newest saved record, with the typed values in place of the saved ones. */
export function mergeDraft<Form extends object>(
  draft: Draft<Form> | undefined,
  saved: Saved<Form>,
  merges?: FieldMerges<Form>,
): Merged<Form> {
  if (!draft) return { values: saved.form, overlaps: [] }
  const { values, overlaps } = mergeFields(draft.base, draft.values, saved.form, merges)
  const shown = new Set([...(draft.overlaps ?? []), ...overlaps])
  return { values, overlaps: [...shown].filter((name) => !isSame(values[name], saved.form[name])) }
}

/**
 * The draft after the displayed values changed from `before` to `after`. Only the fields in which `before` and `after`
 * differ count as typed by the user.
 */
export function changeDraft<Form extends object>(
  draft: Draft<Form> | undefined,
  saved: Saved<Form>,
  before: Form,
  after: Form,
): Draft<Form> {
  const begun = draft ?? { base: saved.form, values: saved.form, version: saved.version }
  const values = { ...begun.values }
  for (const name of namesOf(after)) {
    if (!Object.is(after[name], before[name])) values[name] = after[name]
  }
  return { ...begun, values }
}

/** Makes the current record the base of the draft, after the form has shown the user the changes of someone else. */
export function rebaseDraft<Form extends object>(
  draft: Draft<Form>,
  saved: Saved<Form>,
  merges?: FieldMerges<Form>,
): Draft<Form> {
  return {
    ...mergeDraft(draft, saved, merges),
    base: saved.form,
    version: saved.version,
    since: draft.since ?? draft.version,
  }
}

/**
 * Returns the draft that remains after the server saved `sent`: the values that the user typed during the save. Returns
 * undefined if the user typed nothing during the save.
 */
export function draftAfterSave<Form extends object>(
  values: Form,
  sent: Form,
  saved: Saved<Form>,
  merges?: FieldMerges<Form>,
): Draft<Form> | undefined {
  const rest = {
    base: saved.form,
    values: mergeFields(sent, values, saved.form, merges).values,
    version: saved.version,
  }
  return changedNames(rest).length > 0 ? rest : undefined
}

export type DraftStorage<Form> = ReturnType<typeof createDraftStorage<Draft<Form>>>

/** Stores the draft of a form with text and switch fields in the browser tab. `empty` defines the fields. */
export function createFormDraftStorage<Form extends object>(key: string, empty: Form) {
  return createDraftStorage<Draft<Form>>(key, (stored) => {
    if (!isRecord(stored) || typeof stored['version'] !== 'number') return undefined
    const [base, values] = [readForm(stored['base'], empty), readForm(stored['values'], empty)]
    const { since, version } = stored
    return base && values
      ? { base, values, version, ...(typeof since === 'number' && { since }) }
      : undefined
  })
}

/** Returns the stored form values if every field exists and has the expected type; otherwise undefined. */
function readForm<Form extends object>(stored: unknown, empty: Form): Form | undefined {
  if (!isRecord(stored)) return undefined
  const names = namesOf(empty)
  if (names.some((name) => typeof stored[name] !== typeof empty[name])) return undefined
  return Object.fromEntries(names.map((name) => [name, stored[name]])) as Form
}
