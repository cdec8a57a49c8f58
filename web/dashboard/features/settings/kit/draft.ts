/** A form of one row: texts and switches. */
export type FormValues = Readonly<Record<string, string | boolean>>

/** A row as the data service has it, in the form's values. */
export type Saved<Form> = { readonly form: Form; readonly version: number }

/** What somebody typed over a row, and the row that they saw then. */
export type Draft<Form> = {
  readonly base: Form
  readonly values: Form
  /** Of the row that they saw. */
  readonly version: number
  /** Of the row that they saw before they were told of changes; the changes since then stay in sight. */
  readonly since?: number
}

type Named<Form> = keyof Form & string

const namesOf = <Form extends FormValues>(form: Form) => Object.keys(form) as Named<Form>[]

/** What differs from the row that was seen. */
export function changedNames<Form extends FormValues>({
  base,
  values,
}: Draft<Form>): Named<Form>[] {
  return namesOf(values).filter((name) => values[name] !== base[name])
}

/** What was typed, and nothing else. */
export function changedValues<Form extends FormValues>(draft: Draft<Form>): Partial<Form> {
  return Object.fromEntries(
    changedNames(draft).map((name) => [name, draft.values[name]]),
  ) as Partial<Form>
}

/** What the form shows: what was typed, and elsewhere the row as it is by now. */
export function displayedValues<Form extends FormValues>(
  draft: Draft<Form> | undefined,
  saved: Saved<Form>,
): Form {
  return draft ? { ...saved.form, ...changedValues(draft) } : saved.form
}

/** The draft after a change of what is shown; none when nothing differs any more. */
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

/** The draft over the row as it is by now: its writer has been told what changed meanwhile. */
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

/** What is left of a draft once `sent` was saved: what was typed meanwhile. */
export function draftAfterSave<Form extends FormValues>(
  draft: Draft<Form>,
  sent: Form,
  saved: Saved<Form>,
): Draft<Form> | undefined {
  const values = displayedValues({ ...draft, base: sent }, saved)
  const next = { base: saved.form, values, version: saved.version }
  return changedNames(next).length > 0 ? next : undefined
}
