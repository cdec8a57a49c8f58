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
  /** 'saved': there are no unsaved changes. */
  | { readonly state: 'saved' }
  /** 'waiting': there are unsaved changes. The form saves them after a pause in typing or when the user saves. */
  | { readonly state: 'waiting' }
  | { readonly state: 'saving' }
  /** 'incomplete': some fields are invalid. The automatic save continues once the user corrects them. */
  | { readonly state: 'incomplete'; readonly problems: readonly string[] }
  /**
   * 'refused': the server refused the save. 'unanswered': the response was lost, and the automatic save tries again.
   */
  | { readonly state: 'refused' | 'unanswered'; readonly error: unknown }
  /** Someone else saved the version `theirs`. The form saves nothing until the user chooses a version. */
  | { readonly state: 'version_conflict'; readonly theirs: number; readonly detectedAt: Date }

type VersionedState<Form, Row extends Saved<Form>> = {
  /** The newest record that the form has received. */
  readonly saved: Row
  /** The typed draft; undefined when the user has typed nothing. */
  readonly draft: Draft<Form> | undefined
  /** The displayed values: the newest record, with the changes of the draft. */
  readonly values: Form
  /** The fields that the user and someone else changed to different values. */
  readonly overlaps: readonly NameOf<Form>[]
  readonly saving: Saving
}

/** The result of a save that the user requested. */
export type SaveOutcome<Form> =
  /** The record was saved. `changed` contains the names of the saved fields. */
  | { readonly kind: 'saved'; readonly changed: readonly NameOf<Form>[] }
  /** The form sent no request, because no field differed from the saved record. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'declined' }
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'version_conflict' }
  | { readonly kind: 'failed'; readonly error: unknown }

export type RecordRules<Form extends object, Row extends Saved<Form>> = {
  /**
   * Saves the record if nobody changed it since the user read it. Returns the saved record, 'ended' when the form closes after
   * the save, 'declined' when the user cancelled, or undefined after a version conflict. An error with the code of a
   * version conflict has the same meaning as undefined.
   */
  readonly write: (
    form: Form,
    seenVersion: number,
    draft: Draft<Form>,
  ) => Promise<Row | 'ended' | 'declined' | undefined>
  /** Reads the current record after a version conflict. */
  readonly read: () => Promise<Row>
  /**
   * How a save includes another user's change. 'shown': the form shows the change, and the next save includes it.
   * 'chosen': the user chooses first. 'merged': the save includes the change silently; only if both people changed the
   * same field does the user choose.
   */
  readonly othersChanges: 'shown' | 'chosen' | 'merged'
  readonly draftStorage?: DraftStorage<Form> | undefined
  readonly merges?: FieldMerges<Form>
  /** Returns whether two forms would store the same values when saved. By default all values are compared. */
  readonly isSameRecord?: (one: Form, other: Form) => boolean
  /**
   * Returns the form values that the server sent, with the React keys of the displayed form, so that React does not
   * replace the focused element.
   */
  readonly keepKeys?: (received: Form, shown: Form) => Form
  /** Returns the errors that prevent saving, one sentence for each field. */
  readonly problemsOf?: (form: Form) => readonly string[]
  /** Whether the form saves automatically: after a pause in typing, and again when a response was lost. */
  readonly autosave?: { readonly pauseMs: number; readonly retryMs: number }
}

/**
 * Whether the server may have saved the record although the save failed, because the response was lost or the server
 * failed.
 */
const isUnanswered = (error: unknown) =>
  !(error instanceof DataError) || error.status === 0 || error.status >= 500

/**
 * Edits a record that has a version. Preserves the typed values until they are saved, even when a save fails. Each save
 * names the version that the user was looking at and runs after the previous save. Merges the changes that someone else
 * saved since.
 */
export class VersionedRecord<Form extends object, Row extends Saved<Form>> {
  #rules: RecordRules<Form, Row>
  #state: VersionedState<Form, Row>
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: Promise<SaveOutcome<Form>> | undefined
  #hasEnded = false
  #hasClosed = false
  readonly #listeners = new Set<() => void>()

  constructor(first: Row, rules: RecordRules<Form, Row>) {
    this.#rules = rules
    this.#state = {
      saved: first,
      draft: undefined,
      values: first.form,
      overlaps: [],
      saving: { state: 'saved' },
    }
    const restored = rules.draftStorage?.recall()
    if (!restored) return
    const isCurrent = restored.version === first.version
    this.#update({
      draft: isCurrent ? { ...restored, base: first.form } : restored,
      saving: { state: 'waiting' },
    })
    this.#scheduleSave(rules.autosave?.pauseMs)
    this.#settle()
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  readonly current = (): VersionedState<Form, Row> => this.#state

  readonly change = (how: (shown: Form) => Form): void => {
    const { values, saved, saving } = this.#state
    const after = how(values)
    if (after === values) return
    const draft = changeDraft(this.#state.draft, saved, values, after)
    if (this.#running) this.#keep(draft, saving)
    else if (changedNames(draft).length === 0) return this.discard()
    else if (saving.state === 'version_conflict') {
      this.#keep(draft, saving)
      return this.#settle()
    } else this.#keep(draft, { state: 'waiting' })
    this.#scheduleSave(this.#rules.autosave?.pauseMs)
  }

  /** Receives the server's current record. A record that arrives during a save is merged after the save. */
  receive(row: Row): void {
    const { saved } = this.#state
    if (this.#hasClosed || row.version < saved.version) return
    if (row.version === saved.version && this.#isSame(row.form, saved.form)) return
    this.#update({ saved: this.#withShownKeys(row) })
    if (!this.#running) this.#settle()
  }

  /**
   * Saves the draft. The promise of an automatic save resolves when there are no unsaved changes, or when the save
   * failed.
   */
  readonly save = (): Promise<SaveOutcome<Form>> => {
    clearTimeout(this.#timer)
    this.#running ??= this.#saveDraft().finally(() => {
      this.#running = undefined
      this.#settle()
    })
    return this.#running
  }

  /** Resolves a version conflict by saving the user's changes over the version that someone else saved. */
  readonly keepMine = (): Promise<SaveOutcome<Form>> => {
    const { draft, saved, values } = this.#state
    if (draft)
      this.#keep({ base: saved.form, values, version: saved.version }, { state: 'waiting' })
    return this.save()
  }

  /** Discards the typed changes. The form then shows the newest record. */
  readonly discard = (): void => {
    clearTimeout(this.#timer)
    this.#update({ draft: undefined, saving: { state: 'saved' } })
    this.#rules.draftStorage?.forget()
  }

  /** Replaces the functions and options with which the form saves. The next save uses the new ones. */
  follow(rules: RecordRules<Form, Row>): void {
    this.#rules = rules
  }

  /** Called each time that React mounts the page. */
  begin(): void {
    this.#hasEnded = false
  }

  /**
   * Called when the page closes. The automatic save runs once, without retries. If it fails, the draft stays in this
   * browser.
   */
  end(): void {
    this.#hasEnded = true
    if (this.#rules.autosave && this.#state.saving.state === 'waiting') void this.save()
    clearTimeout(this.#timer)
  }

  #isSame(one: Form, other: Form): boolean {
    return (this.#rules.isSameRecord ?? isSame)(one, other)
  }

  /** Whether saving `form` would change the record, or fail because of an invalid field. */
  #isChange(form: Form, record: Form): boolean {
    return this.#problemsOf(form).length > 0 || !this.#isSame(form, record)
  }

  #problemsOf(form: Form): readonly string[] {
    return this.#rules.problemsOf?.(form) ?? []
  }

  #withShownKeys(row: Row): Row {
    const { keepKeys } = this.#rules
    return keepKeys ? { ...row, form: keepKeys(row.form, this.#state.values) } : row
  }

  #update(change: Partial<Pick<VersionedState<Form, Row>, 'saved' | 'draft' | 'saving'>>): void {
    const next = { ...this.#state, ...change }
    this.#state = { ...next, ...mergeDraft(next.draft, next.saved, this.#rules.merges) }
    for (const listener of this.#listeners) listener()
  }

  #keep(draft: Draft<Form>, saving: Saving): void {
    this.#update({ draft, saving })
    this.#rules.draftStorage?.remember(draft)
  }

  #scheduleSave(ms: number | undefined): void {
    clearTimeout(this.#timer)
    if (!this.#hasEnded && ms !== undefined) this.#timer = setTimeout(() => void this.save(), ms)
  }

  /** Makes the newest saved version the base of the draft, unless the user has to choose between two changes. */
  #settle(): void {
    const { draft, saved, values, overlaps, saving } = this.#state
    const { othersChanges } = this.#rules
    if (!draft || saved.version === draft.version) return
    const isDirty = this.#isChange(draft.values, draft.base)
    if (this.#isSame(saved.form, draft.base)) {
      const next = { ...draft, base: saved.form, version: saved.version }
      return isDirty ? this.#goOn(next) : this.#update({ draft: next })
    }
    if (!isDirty || !this.#isChange(values, saved.form)) return this.discard()
    if (othersChanges === 'shown') return
    if (othersChanges === 'merged' && overlaps.length === 0)
      return this.#goOn({ base: saved.form, values, version: saved.version })
    if (saving.state === 'version_conflict' && saving.theirs === saved.version) return
    clearTimeout(this.#timer)
    this.#update({
      saving: { state: 'version_conflict', theirs: saved.version, detectedAt: new Date() },
    })
  }

  #goOn(draft: Draft<Form>): void {
    this.#keep(draft, { state: 'waiting' })
    this.#scheduleSave(this.#rules.autosave?.pauseMs)
  }

  async #saveDraft(): Promise<SaveOutcome<Form>> {
    for (;;) {
      this.#settle()
      const { draft, values, saved, saving } = this.#state
      if (saving.state === 'version_conflict') return { kind: 'version_conflict' }
      if (!draft || !this.#isChange(draft.values, draft.base)) {
        this.#update({ saving: { state: 'saved' } })
        this.#rules.draftStorage?.forget()
        return { kind: 'unchanged' }
      }
      if (draft.version !== saved.version) {
        this.#keep(rebaseDraft(draft, saved, this.#rules.merges), { state: 'waiting' })
        return { kind: 'version_conflict' }
      }
      const problems = this.#problemsOf(values)
      if (problems.length > 0) {
        this.#update({ saving: { state: 'incomplete', problems } })
        return { kind: 'incomplete' }
      }
      // Each save waits for the previous save.
      // oxlint-disable-next-line no-await-in-loop
      const outcome = await this.#write(draft, values)
      if (outcome && !(this.#rules.autosave && outcome.kind === 'saved')) return outcome
    }
  }

  /**
   * Sends the draft to the server once. Returns undefined after a version conflict; the form then already contains the
   * newest record.
   */
  async #write(draft: Draft<Form>, sent: Form): Promise<SaveOutcome<Form> | undefined> {
    clearTimeout(this.#timer)
    this.#update({ saving: { state: 'saving' } })
    try {
      const written = await refusedAsUndefined(this.#rules.write(sent, draft.version, draft))
      if (written === 'declined') {
        this.#update({ saving: { state: 'waiting' } })
        return { kind: 'declined' }
      }
      if (written === 'ended') this.#close(sent)
      else if (written) this.#accept(written, sent)
      else if (!(await this.#acceptLostResponse(draft, sent))) return undefined
      return { kind: 'saved', changed: changedNames(draft) }
    } catch (error) {
      this.#update({ saving: { state: isUnanswered(error) ? 'unanswered' : 'refused', error } })
      if (isUnanswered(error)) this.#scheduleSave(this.#rules.autosave?.retryMs)
      return { kind: 'failed', error }
    }
  }

  /** Ends a form that closes after a save: displays the saved values until the page removes the form. */
  #close(sent: Form): void {
    this.#hasClosed = true
    this.#update({ saved: { ...this.#state.saved, form: sent } })
    this.discard()
  }

  /**
   * Reads the record after a version conflict. Returns true if the record equals the sent form: the server had saved an
   * earlier attempt, and only its response was lost.
   */
  async #acceptLostResponse(draft: Draft<Form>, sent: Form): Promise<boolean> {
    const now = this.#withShownKeys(await this.#rules.read())
    const isSent = this.#isSame(now.form, sent)
    if (isSent) this.#accept(now, sent)
    else if (now.version === draft.version)
      throw new Error('The current version could not be read.')
    else this.#update({ saved: now, saving: { state: 'waiting' } })
    return isSent
  }

  /**
   * Called after the server has saved the values `sent`; `row` is the saved record. Values that the user typed during
   * the save remain a draft.
   */
  #accept(row: Row, sent: Form): void {
    const { draft, values, saved } = this.#state
    const rest = draft && draftAfterSave(values, sent, row, this.#rules.merges)
    this.#update({ saved: row.version < saved.version ? saved : row })
    if (rest) this.#keep(rest, { state: 'waiting' })
    else this.discard()
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
