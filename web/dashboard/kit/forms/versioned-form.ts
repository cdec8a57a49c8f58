import { DataError } from '#web/lib/data/request-data.ts'
import { isVersionConflict } from '#web/lib/data/version-conflict.ts'
import { type FieldMerges, isSame, type NameOf } from './merge-fields.ts'
import {
  changedNames,
  changeDraft,
  type Draft,
  draftAfterSave,
  type DraftStorage,
  mergeDraft,
  rebaseDraft,
  type Saved,
} from './versioned-draft.ts'

type Saving =
  /** Nothing is left to save. */
  | { readonly state: 'saved' }
  /** Changed, and saved after a pause in typing or when the user saves. */
  | { readonly state: 'waiting' }
  | { readonly state: 'saving' }
  /** Some fields are invalid. An autosave goes on once they are corrected. */
  | { readonly state: 'incomplete'; readonly problems: readonly string[] }
  | { readonly state: 'refused'; readonly error: unknown }
  /** No answer came. An autosave tries again. */
  | { readonly state: 'unanswered'; readonly error: unknown }
  /** Someone else changed the record, and nothing is saved until the user chooses. */
  | { readonly state: 'version_conflict'; readonly detectedAt: Date }

type VersionedState<Form, Row extends Saved<Form>> = {
  /** The newest known record. */
  readonly saved: Row
  /** Undefined when nothing is typed. */
  readonly draft: Draft<Form> | undefined
  /** The displayed values: the draft on top of the newest known record. */
  readonly values: Form
  /** The fields that the user and someone else changed to different values. */
  readonly overlaps: readonly NameOf<Form>[]
  readonly saving: Saving
}

/** The result of a save that the user asked for. */
export type SaveOutcome<Form> =
  /** With the names of the saved fields. */
  | { readonly kind: 'saved'; readonly changed: readonly NameOf<Form>[] }
  /** There was nothing to save. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'declined' }
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'version_conflict' }
  | { readonly kind: 'failed'; readonly error: unknown }

export type RecordRules<Form extends object, Row extends Saved<Form>> = {
  /**
   * Saves the record if its version is still the seen one. Returns the saved record, or 'ended' when the form closes
   * after a save, 'declined' when the user cancelled, and undefined after a version conflict; an error with the code of
   * a version conflict means the same.
   */
  readonly write: (
    form: Form,
    seenVersion: number,
    draft: Draft<Form>,
  ) => Promise<Row | 'ended' | 'declined' | undefined>
  /** Reads the current record after a version conflict. */
  readonly read: () => Promise<Row>
  /**
   * How a change by someone else gets into a save. 'shown': the change is shown, and the next save includes it. 'chosen':
   * the user chooses first. 'merged': it is included silently unless both changed the same field; then the user chooses.
   */
  readonly othersChanges: 'shown' | 'chosen' | 'merged'
  readonly draftStorage?: DraftStorage<Form> | undefined
  readonly merges?: FieldMerges<Form>
  /** Whether two forms save the same; the default compares their values. */
  readonly isSameRecord?: (one: Form, other: Form) => boolean
  /** Gives parts of a received form the React keys of the displayed one. */
  readonly keepKeys?: (received: Form, shown: Form) => Form
  /** What prevents saving, one sentence per field. */
  readonly problemsOf?: (form: Form) => readonly string[]
  /** Saves after a pause in typing, and again after a save without an answer. */
  readonly autosave?: { readonly pauseMs: number; readonly retryMs: number }
}

/** Without an answer the record may have been saved nevertheless. */
const isUnanswered = (error: unknown) =>
  !(error instanceof DataError) || error.status === 0 || error.status >= 500

/**
 * Edits a record that has a version: keeps the typed values, saves them over the seen version, one save after the other,
 * and merges what someone else saved meanwhile. The typed values stay until they are saved, whatever happens to a save.
 */
export function createVersionedForm<Form extends object, Row extends Saved<Form>>(
  first: Row,
  firstRules: RecordRules<Form, Row>,
) {
  let rules = firstRules
  let state: VersionedState<Form, Row> = {
    saved: first,
    draft: undefined,
    values: first.form,
    overlaps: [],
    saving: { state: 'saved' },
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<SaveOutcome<Form>> | undefined
  let hasEnded = false
  let hasClosed = false
  const listeners = new Set<() => void>()

  const isSameRecord = (one: Form, other: Form) => (rules.isSameRecord ?? isSame)(one, other)
  const problemsOf = (form: Form) => rules.problemsOf?.(form) ?? []
  const saves = (form: Form, record: Form) =>
    problemsOf(form).length > 0 || !isSameRecord(form, record)
  const isDirty = ({ draft }: typeof state) =>
    draft !== undefined && saves(draft.values, draft.base)

  function update(change: Partial<Pick<typeof state, 'saved' | 'draft' | 'saving'>>): void {
    const next = { ...state, ...change }
    state = { ...next, ...mergeDraft(next.draft, next.saved, rules.merges) }
    for (const listener of listeners) listener()
  }
  function keep(draft: Draft<Form>, saving: Saving): void {
    update({ draft, saving })
    rules.draftStorage?.remember(draft)
  }
  function finish(): void {
    clearTimeout(timer)
    update({ draft: undefined, saving: { state: 'saved' } })
    rules.draftStorage?.forget()
  }
  function scheduleSave(ms: number | undefined): void {
    clearTimeout(timer)
    if (!hasEnded && ms !== undefined) timer = setTimeout(() => void save(), ms)
  }
  function goOn(draft: Draft<Form>): void {
    keep(draft, { state: 'waiting' })
    scheduleSave(rules.autosave?.pauseMs)
  }

  /** Brings the draft on top of the newest record where the user has nothing to decide. */
  function settle(): void {
    const { draft, saved, values, overlaps } = state
    if (!draft || saved.version === draft.version) return
    if (isSameRecord(saved.form, draft.base)) {
      const next = { ...draft, base: saved.form, version: saved.version }
      return isDirty(state) ? goOn(next) : update({ draft: next })
    }
    if (!isDirty(state) || !saves(values, saved.form)) return finish()
    if (rules.othersChanges === 'shown') return
    if (rules.othersChanges === 'merged' && overlaps.length === 0)
      return goOn({ base: saved.form, values, version: saved.version })
    clearTimeout(timer)
    update({ saving: { state: 'version_conflict', detectedAt: new Date() } })
  }

  const withShownKeys = (row: Row): Row =>
    rules.keepKeys ? { ...row, form: rules.keepKeys(row.form, state.values) } : row

  /** Receives the record as the server has it now. During a save it is settled after the save. */
  function receive(row: Row): void {
    const { saved } = state
    if (hasClosed || row.version < saved.version) return
    if (row.version === saved.version && isSameRecord(row.form, saved.form)) return
    update({ saved: withShownKeys(row) })
    if (!running) settle()
  }

  function change(how: (shown: Form) => Form): void {
    const { values, saved, saving } = state
    const after = how(values)
    if (after === values) return
    const draft = changeDraft(state.draft, saved, values, after)
    if (running) keep(draft, saving)
    else if (changedNames(draft).length === 0) return finish()
    else if (saving.state === 'version_conflict') {
      keep(draft, saving)
      return settle()
    } else keep(draft, { state: 'waiting' })
    scheduleSave(rules.autosave?.pauseMs)
  }

  /** Saves the draft. An autosave resolves when nothing is left to save, or when the save failed. */
  function save(): Promise<SaveOutcome<Form>> {
    clearTimeout(timer)
    running ??= saveDraft().finally(() => {
      running = undefined
      settle()
    })
    return running
  }

  async function saveDraft(): Promise<SaveOutcome<Form>> {
    for (;;) {
      settle()
      const { draft, values, saved, saving } = state
      if (saving.state === 'version_conflict') return { kind: 'version_conflict' }
      if (!draft || !isDirty(state)) {
        update({ saving: { state: 'saved' } })
        rules.draftStorage?.forget()
        return { kind: 'unchanged' }
      }
      if (draft.version !== saved.version) {
        keep(rebaseDraft(draft, saved, rules.merges), { state: 'waiting' })
        return { kind: 'version_conflict' }
      }
      const problems = problemsOf(values)
      if (problems.length > 0) {
        update({ saving: { state: 'incomplete', problems } })
        return { kind: 'incomplete' }
      }
      // One after the other is the point.
      // oxlint-disable-next-line no-await-in-loop
      const outcome = await writeOnce(draft, values)
      if (outcome && !(rules.autosave && outcome.kind === 'saved')) return outcome
    }
  }

  /** Returns undefined after a version conflict, with the newest record received. */
  async function writeOnce(draft: Draft<Form>, sent: Form): Promise<SaveOutcome<Form> | undefined> {
    clearTimeout(timer)
    update({ saving: { state: 'saving' } })
    try {
      const written = await refusedAsUndefined(rules.write(sent, draft.version, draft))
      if (written === 'declined') {
        update({ saving: { state: 'waiting' } })
        return { kind: 'declined' }
      }
      const changed = changedNames(draft)
      if (written === 'ended') {
        // The form shows what was sent until it closes.
        hasClosed = true
        update({ saved: { ...state.saved, form: sent } })
        finish()
        return { kind: 'saved', changed }
      }
      const now = written ?? withShownKeys(await rules.read())
      if (written || isSameRecord(now.form, sent)) {
        accept(now, sent)
        return { kind: 'saved', changed }
      }
      if (now.version === draft.version) throw new Error('The current version is not readable.')
      update({ saved: now, saving: { state: 'waiting' } })
      return undefined
    } catch (error) {
      if (isUnanswered(error)) {
        update({ saving: { state: 'unanswered', error } })
        scheduleSave(rules.autosave?.retryMs)
      } else update({ saving: { state: 'refused', error } })
      return { kind: 'failed', error }
    }
  }

  /** `sent` is saved as `row`. What was typed during the save stays as a draft. */
  function accept(row: Row, sent: Form): void {
    const rest = state.draft && draftAfterSave(state.values, sent, row, rules.merges)
    update({ saved: row.version < state.saved.version ? state.saved : row })
    if (rest) keep(rest, { state: 'waiting' })
    else finish()
  }

  const restored = rules.draftStorage?.recall()
  if (restored) {
    const isCurrent = restored.version === first.version
    update({
      draft: isCurrent ? { ...restored, base: first.form } : restored,
      saving: { state: 'waiting' },
    })
    scheduleSave(rules.autosave?.pauseMs)
    settle()
  }

  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    current: () => state,
    change,
    receive,
    save,
    /** Resolves a version conflict: saves the typed changes on top of the other version. */
    keepMine: () => {
      const { draft, saved, values } = state
      if (draft) keep({ base: saved.form, values, version: saved.version }, { state: 'waiting' })
      return save()
    },
    /** Replaces the rules, for the next save. */
    follow: (next: RecordRules<Form, Row>) => {
      rules = next
    },
    /** Discards the typed changes: the form shows the newest record. */
    discard: finish,
    /** The page was closed: an autosave saves once, without retries. If that fails, the draft stays in this browser. */
    end: () => {
      hasEnded = true
      if (rules.autosave && state.saving.state === 'waiting') void save()
      clearTimeout(timer)
    },
    /** The page was mounted again. */
    begin: () => {
      hasEnded = false
    },
  }
}

async function refusedAsUndefined<Written>(
  writing: Promise<Written>,
): Promise<Written | undefined> {
  try {
    return await writing
  } catch (error) {
    if (isVersionConflict(error)) return undefined
    throw error
  }
}
