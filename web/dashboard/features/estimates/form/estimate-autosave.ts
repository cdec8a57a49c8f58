import type { Estimate, EstimateDocument } from '#contracts/estimates/estimates.ts'
import type { FormEdit } from './edit-form.ts'
import type { Draft } from './draft-storage.ts'
import { mergeForms } from './merge-forms.ts'
import { documentOf, isSameDocument, type EstimateForm, formOfDocument } from './estimate-form.ts'

/** What the page needs to know of an estimate to go on writing it. */
export type SeenEstimate = Pick<Estimate, 'version' | 'savedAt' | 'savedBy' | 'document'>

/** Why a save was not taken: somebody else was there before, the words of a refusal, or no answer. */
export type SaveFailure =
  | { readonly kind: 'version_conflict' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'unanswered' }

type Saving =
  | { readonly state: 'saved' }
  /** Typed, and soon to be saved. */
  | { readonly state: 'waiting' }
  | { readonly state: 'saving' }
  /** Cells cannot be read: it is saved once they can. */
  | { readonly state: 'incomplete'; readonly message: string; readonly count: number }
  | { readonly state: 'refused'; readonly message: string }
  /** It is tried again by itself. */
  | { readonly state: 'unanswered' }
  | { readonly state: 'version_conflict'; readonly theirs: SeenEstimate; readonly detectedAt: Date }

export type AutosaveState = {
  readonly form: EstimateForm
  /** The document as it was last saved or read, which `sheet` was typed over. */
  readonly base: EstimateDocument
  readonly version: number
  readonly savedAt: string
  readonly saving: Saving
}

type Means = {
  /** Throws a `SaveFailureNotice` of `failureOf`. */
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

/** How long nobody types before it is saved. */
const pauseMs = 700
const retryMs = 5_000

export type Autosave = ReturnType<typeof createAutosave>

/**
 * An estimate while it is written: what was typed, and its saving, which goes on by itself, one save after the other,
 * and never over what somebody else saved meanwhile. Whatever happens to a save, what was typed stays, and is kept in
 * this browser until it was saved.
 */
export function createAutosave(seen: SeenEstimate, { save, failureOf, read, draftStorage }: Means) {
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

  const become = (change: Partial<AutosaveState>) => {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }
  const isDirty = () => {
    const { document, problems } = documentOf(state.form)
    return problems.length > 0 || !isSameDocument(document, state.base)
  }
  const saveIn = (ms: number) => {
    clearTimeout(timer)
    if (!hasEnded) timer = setTimeout(() => void saveNow(), ms)
  }
  const settled = () => {
    draftStorage.forget()
    become({ saving: { state: 'saved' } })
  }

  const restored = draftStorage.recall()
  if (restored) {
    const { form, base, version } = restored
    state = { ...state, form, base, version, saving: { state: 'waiting' } }
    receive(seen)
    saveIn(pauseMs)
  }

  /** What the server has by now; while a save is under way it is looked at once that is done. */
  function receive(now: SeenEstimate): void {
    if (now.version >= latest.version) latest = now
    if (running || latest.version <= state.version) return
    const { version, savedAt, document } = latest
    if (isSameDocument(document, state.base)) return become({ version, savedAt })
    const mine = documentOf(state.form)
    if (!isDirty() || (mine.problems.length === 0 && isSameDocument(document, mine.document))) {
      const form = isDirty() ? state.form : formOfDocument(document, state.form)
      become({ form, base: document, version, savedAt })
      return settled()
    }
    clearTimeout(timer)
    become({ saving: { state: 'version_conflict', theirs: latest, detectedAt: new Date() } })
  }

  function change(how: FormEdit): void {
    const form = how(state.form)
    if (form === state.form) return
    const isHeld = state.saving.state === 'version_conflict' || running
    become({ form, ...(!isHeld && { saving: { state: 'waiting' } }) })
    draftStorage.remember({ form, base: state.base, version: state.version })
    if (state.saving.state !== 'version_conflict') saveIn(pauseMs)
  }

  /** Saves what is typed by now; done when nothing is left to save, or when it did not work. */
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
        return become({ saving: { state: 'incomplete', message, count: problems.length } })
      }
      if (isSameDocument(document, state.base)) return settled()
      become({ saving: { state: 'saving' } })
      try {
        // One after the other is the point.
        // oxlint-disable-next-line no-await-in-loop
        const { version, savedAt } = await save(state.version, document)
        become({ base: document, version, savedAt })
        draftStorage.remember({ form: state.form, base: document, version })
      } catch (error) {
        // oxlint-disable-next-line no-await-in-loop
        if (!(await isHealed(failureOf(error), document))) return
      }
    }
  }

  /** Says why it was not saved; true when it was after all, and only the answer was lost. */
  async function isHealed(failure: SaveFailure, sent: EstimateDocument): Promise<boolean> {
    if (failure.kind === 'refused')
      become({ saving: { state: 'refused', message: failure.message } })
    const now = failure.kind === 'version_conflict' && (await read().catch(() => undefined))
    if (now && isSameDocument(now.document, sent)) {
      become({ base: sent, version: now.version, savedAt: now.savedAt })
      return true
    }
    if (now) latest = now
    if (now && isSameDocument(now.document, state.base)) {
      // What became of it was no change of what is written: it was sent, or answered.
      become({ version: now.version })
      return true
    }
    if (now) become({ saving: { state: 'version_conflict', theirs: now, detectedAt: new Date() } })
    else if (failure.kind !== 'refused') {
      become({ saving: { state: 'unanswered' } })
      saveIn(retryMs)
    }
    return false
  }

  /** Goes on from what they have: with what was typed over it, or without. */
  function goOn(isMineKept: boolean): void {
    if (state.saving.state !== 'version_conflict') return
    const { theirs } = state.saving
    const form = isMineKept
      ? mergeForms(state.base, state.form, theirs.document)
      : formOfDocument(theirs.document, state.form)
    const { version, savedAt, document } = theirs
    become({ form, base: document, version, savedAt, saving: { state: 'waiting' } })
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
    keepMine: () => goOn(true),
    takeTheirs: () => goOn(false),
    /** The page is left: what waits is saved now, and nothing is tried again. What cannot be saved is kept here. */
    end: () => {
      hasEnded = true
      if (state.saving.state === 'waiting') void saveNow()
      clearTimeout(timer)
    },
    /** The estimate is gone, and with it what was typed. */
    drop: () => {
      hasEnded = true
      clearTimeout(timer)
      become({ saving: { state: 'saved' } })
      draftStorage.forget()
    },
    /** The page is there again. */
    begin: () => {
      hasEnded = false
    },
  }
}
