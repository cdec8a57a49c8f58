import type { Estimate, EstimateDocument } from '#contracts/estimates/estimates.ts'
import type { FormEdit } from './edit-form.ts'
import type { Draft } from './estimate-draft-storage.ts'
import { mergeForms } from './merge-forms.ts'
import { documentOf, isSameDocument, type EstimateForm, formOfDocument } from './estimate-form.ts'

/** The parts of an estimate that the autosave needs. */
export type SeenEstimate = Pick<Estimate, 'version' | 'savedAt' | 'savedBy' | 'document'>

/** The reason why a save failed: a version conflict, a refusal with its message, or no response. */
export type SaveFailure =
  | { readonly kind: 'version_conflict' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'unanswered' }

type Saving =
  | { readonly state: 'saved' }
  /** Changed, and saved after a pause in typing. */
  | { readonly state: 'waiting' }
  | { readonly state: 'saving' }
  /** Some cells are invalid. The draft is saved once they are corrected. */
  | { readonly state: 'incomplete'; readonly message: string; readonly count: number }
  | { readonly state: 'refused'; readonly message: string }
  /** The save is repeated automatically. */
  | { readonly state: 'unanswered' }
  | { readonly state: 'version_conflict'; readonly theirs: SeenEstimate; readonly detectedAt: Date }

export type AutosaveState = {
  readonly form: EstimateForm
  /** The document as last saved or read, on which `form` is based. */
  readonly base: EstimateDocument
  readonly version: number
  readonly savedAt: string
  readonly saving: Saving
}

type Options = {
  /** Rejects with an error that `failureOf` converts into a `SaveFailure`. */
  readonly save: (
    version: number,
    document: EstimateDocument,
  ) => Promise<{ readonly version: number; readonly savedAt: string }>
  readonly failureOf: (error: unknown) => SaveFailure
  readonly read: () => Promise<SeenEstimate>
  readonly draftStorage: {
    readonly remember: (draft: Draft) => void
    readonly recall: () => Draft | undefined
    readonly forget: () => void
  }
}

/** The pause in typing after which the draft is saved. */
const pauseMs = 700
const retryMs = 5_000

export type Autosave = ReturnType<typeof createAutosave>

/**
 * Keeps the form of an estimate and saves it automatically, one save after the other, and never over a version that
 * someone else saved. Whatever happens to a save, the typed values stay in the form and in this browser until they are
 * saved.
 */
export function createAutosave(
  seen: SeenEstimate,
  { save, failureOf, read, draftStorage }: Options,
) {
  let state: AutosaveState = {
    form: formOfDocument(seen.document),
    base: seen.document,
    version: seen.version,
    savedAt: seen.savedAt,
    saving: { state: 'saved' },
  }
  let latest = seen
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | undefined
  let hasEnded = false
  const listeners = new Set<() => void>()

  const update = (change: Partial<AutosaveState>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  const isDirty = () => {
    const { document, problems } = documentOf(state.form)
    return problems.length > 0 || !isSameDocument(document, state.base)
  }
  const scheduleSave = (ms: number) => {
    clearTimeout(timer)
    if (!hasEnded) timer = setTimeout(() => void saveNow(), ms)
  }
  const finish = () => {
    draftStorage.forget()
    update({ saving: { state: 'saved' } })
  }

  const restored = draftStorage.recall()
  if (restored) {
    const { form, base, version } = restored
    state = { ...state, form, base, version, saving: { state: 'waiting' } }
    receive(seen)
    scheduleSave(pauseMs)
  }

  /** Receives the latest estimate from the server. During a save it is processed after the save. */
  function receive(now: SeenEstimate): void {
    if (now.version >= latest.version) latest = now
    if (running || latest.version <= state.version) return
    const { version, savedAt, document } = latest
    if (isSameDocument(document, state.base)) return update({ version, savedAt })
    const mine = documentOf(state.form)
    if (!isDirty() || (mine.problems.length === 0 && isSameDocument(document, mine.document))) {
      const form = isDirty() ? state.form : formOfDocument(document, state.form)
      update({ form, base: document, version, savedAt })
      return finish()
    }
    clearTimeout(timer)
    update({ saving: { state: 'version_conflict', theirs: latest, detectedAt: new Date() } })
  }

  function change(how: FormEdit): void {
    const form = how(state.form)
    if (form === state.form) return
    const isHeld = state.saving.state === 'version_conflict' || running
    update({ form, ...(!isHeld && { saving: { state: 'waiting' } }) })
    draftStorage.remember({ form, base: state.base, version: state.version })
    if (state.saving.state !== 'version_conflict') scheduleSave(pauseMs)
  }

  /** Saves the current form. Resolves when nothing is left to save, or when the save failed. */
  async function saveNow(): Promise<void> {
    clearTimeout(timer)
    running ??= saveAll().finally(() => {
      running = undefined
      receive(latest)
    })
    await running
  }

  async function saveAll(): Promise<void> {
    while (state.saving.state !== 'version_conflict') {
      const { document, problems } = documentOf(state.form)
      const [message] = problems
      if (message !== undefined) {
        return update({ saving: { state: 'incomplete', message, count: problems.length } })
      }
      if (isSameDocument(document, state.base)) return finish()
      update({ saving: { state: 'saving' } })
      try {
        // One after the other is the point.
        // oxlint-disable-next-line no-await-in-loop
        const { version, savedAt } = await save(state.version, document)
        update({ base: document, version, savedAt })
        draftStorage.remember({ form: state.form, base: document, version })
      } catch (error) {
        // oxlint-disable-next-line no-await-in-loop
        if (!(await handleFailure(failureOf(error), document))) return
      }
    }
  }

  /** Handles a failed save. Returns true when the document is saved after all and only the response was lost. */
  async function handleFailure(failure: SaveFailure, sent: EstimateDocument): Promise<boolean> {
    if (failure.kind === 'refused')
      update({ saving: { state: 'refused', message: failure.message } })
    const now = failure.kind === 'version_conflict' && (await read().catch(() => undefined))
    if (now && isSameDocument(now.document, sent)) {
      update({ base: sent, version: now.version, savedAt: now.savedAt })
      return true
    }
    if (now) latest = now
    if (now && isSameDocument(now.document, state.base)) {
      // Only the state of the estimate changed (sent or decided), not its document.
      update({ version: now.version })
      return true
    }
    if (now) update({ saving: { state: 'version_conflict', theirs: now, detectedAt: new Date() } })
    else if (failure.kind !== 'refused') {
      update({ saving: { state: 'unanswered' } })
      scheduleSave(retryMs)
    }
    return false
  }

  /** Resolves a version conflict: merges the typed changes into the other version, or discards them. */
  function resolveConflict(isMineKept: boolean): void {
    if (state.saving.state !== 'version_conflict') return
    const { theirs } = state.saving
    const form = isMineKept
      ? mergeForms(state.base, state.form, theirs.document)
      : formOfDocument(theirs.document, state.form)
    const { version, savedAt, document } = theirs
    update({ form, base: document, version, savedAt, saving: { state: 'waiting' } })
    draftStorage.remember({ form, base: document, version })
    void saveNow()
  }

  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    current: () => state,
    change,
    receive,
    saveNow,
    keepMine: () => resolveConflict(true),
    takeTheirs: () => resolveConflict(false),
    /**
     * The page was closed: saves pending changes once, without retries. If that fails, the draft stays in this browser.
     */
    end: () => {
      hasEnded = true
      if (state.saving.state === 'waiting') void saveNow()
      clearTimeout(timer)
    },
    /** The estimate was deleted: discards the draft. */
    drop: () => {
      hasEnded = true
      clearTimeout(timer)
      update({ saving: { state: 'saved' } })
      draftStorage.forget()
    },
    /** The page was mounted again. */
    begin: () => {
      hasEnded = false
    },
  }
}
