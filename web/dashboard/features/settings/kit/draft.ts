/** The values of a form: texts and switches. */
export type FormValues = Readonly<Record<string, string | boolean>>

/** A saved row in the values of its form, with its version. */
export type Saved<Form> = { readonly form: Form; readonly version: number }

/** The typed values of a form, and the row that the user saw when typing began. */
export type Draft<Form> = {
  readonly base: Form
  readonly values: Form
  /** The version of the seen row. */
  readonly version: number
  /** The version that was seen before the first rebase. The notice lists all changes since then. */
  readonly since?: number
}

type Named<Form> = keyof Form & string

const namesOf = <Form extends FormValues>(form: Form) => Object.keys(form) as Named<Form>[]

/** The names of the fields that differ from the seen row. */
export function changedNames<Form extends FormValues>({
  base,
  values,
}: Draft<Form>): Named<Form>[] {
  return namesOf(values).filter((name) => values[name] !== base[name])
}

/** The values of the changed fields only. */
export function changedValues<Form extends FormValues>(draft: Draft<Form>): Partial<Form> {
  return Object.fromEntries(
    changedNames(draft).map((name) => [name, draft.values[name]]),
  ) as Partial<Form>
}

/** The values that the form displays: the changed fields, and the current row in all others. */
export function displayedValues<Form extends FormValues>(
  draft: Draft<Form> | undefined,
  saved: Saved<Form>,
): Form {
  return draft ? { ...saved.form, ...changedValues(draft) } : saved.form
}

/** The draft after a change of the displayed values; undefined when no field differs any more. */
export function changeDraft<Form extends FormValues>(
  draft: Draft<Form> | undefined,
  saved: Saved<Form>,
  change: (shown: Form) => Form,
): Draft<Form> | undefined {
  const begun = draft ?? { base: saved.form, values: saved.form, version: saved.version }
  const before = displayedValues(draft, saved)
  const after = change(before)
  const touched = namesOf(after).filter((name) => after[name] !== before[name])
  const values = {
    ...begun.values,
    ...Object.fromEntries(touched.map((name) => [name, after[name]])),
  }
  const next = { ...begun, values }
  return changedNames(next).length > 0 ? next : undefined
}

/** The draft on top of the current row, after the user was shown what someone else changed. */
export function rebaseDraft<Form extends FormValues>(
  draft: Draft<Form>,
  saved: Saved<Form>,
): Draft<Form> {
  return {
    base: saved.form,
    values: displayedValues(draft, saved),
    version: saved.version,
    since: draft.since ?? draft.version,
  }
}

/** The rest of a draft after `sent` was saved: the fields that were typed during the save. */
export function draftAfterSave<Form extends FormValues>(
  draft: Draft<Form>,
  sent: Form,
  saved: Saved<Form>,
): Draft<Form> | undefined {
  const values = displayedValues({ ...draft, base: sent }, saved)
  const next = { base: saved.form, values, version: saved.version }
  return changedNames(next).length > 0 ? next : undefined
}
