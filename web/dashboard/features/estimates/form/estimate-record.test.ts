import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EstimateDocument } from '#contracts/estimates/estimates.ts'
import { addLine, changeLine, emptyLine } from './edit-form.ts'
import { versionConflictCode } from '#contracts/database-errors.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import { VersionedRecord } from '#web/dashboard/kit/forms/versioned-form.ts'
import type { Draft } from '#web/dashboard/kit/forms/versioned-draft.ts'
import { documentOf, type EstimateForm } from './estimate-form.ts'
import { type EstimateRecord, estimateRules, recordOf } from './estimate-record.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const jobKey = '00000000-0000-4000-8000-000000000001'
const otherKey = '00000000-0000-4000-8000-000000000002'

const job = (key: string, title: string): EstimateDocument['jobs'][number] => ({
  key,
  title,
  customerDescription: '',
  isNeeded: true,
  measurement: null,
  tearDown: null,
  lines: [
    {
      kind: 'labor',
      subtype: '',
      description: title,
      quantityThousandths: 1200,
      unitPriceCents: 14_500,
      isTaxable: false,
    },
  ],
})
const document: EstimateDocument = {
  customer: { name: 'Maria Delgado', email: '', phone: '' },
  vehicle: { year: '', make: '', model: '', plate: '', vin: '', odometerMiles: null },
  payer: { name: '', reference: '', approvedCents: null },
  customerNote: '',
  internalNote: '',
  goodUntil: '2026-12-08',
  jobs: [job(jobKey, 'Front brakes'), job(otherKey, 'Coolant flush')],
}
const withNote = (note: string, from = document) => ({ ...from, customerNote: note })
const seen = (version: number, now = document) =>
  recordOf({ version, savedAt: '2026-11-24T23:12:00Z', savedBy: 'Sam', document: now })

const unanswered = new DataError({ message: 'Offline.' }, 0)
const refused = new DataError({ message: 'Too long.', code: '23514' }, 400)
const conflict = new DataError({ message: 'Changed.', code: versionConflictCode }, 400)

/**
 * A fake server that stores one document and refuses to save over an older version. If the test sets `failure`, every
 * save fails with this error.
 */
function open({ draft }: { draft?: Draft<EstimateForm> } = {}) {
  const server = { version: 1, document, failure: undefined as Error | undefined }
  const saves: EstimateDocument[] = []
  let storedDraft = draft
  const editing = new VersionedRecord<EstimateForm, EstimateRecord>(seen(1), {
    ...estimateRules,
    async write(form, version) {
      const sent = documentOf(form).document
      saves.push(sent)
      await Promise.resolve()
      if (server.failure) throw server.failure
      if (version !== server.version) throw conflict
      server.version += 1
      server.document = sent
      return { form, version: server.version, savedAt: '2026-11-24T23:13:00Z', savedBy: '' }
    },
    read: async () => seen(server.version, server.document),
    draftStorage: {
      remember: (next) => void (storedDraft = next),
      recall: () => storedDraft,
      forget: () => void (storedDraft = undefined),
    },
  })
  const type = (note: string) => editing.change((form) => ({ ...form, customerNote: note }))
  const typeHours = (text: string) => {
    const line = editing.current().values.jobs[0]?.lines[0]
    editing.change(changeLine(jobKey, line?.key ?? '', { quantity: text }))
  }
  return { editing, server, saves, type, typeHours, draft: () => storedDraft }
}
const wait = (ms = 1_000) => vi.advanceTimersByTimeAsync(ms)

describe('the autosave of an estimate', () => {
  it('saves nothing when nothing was typed', async () => {
    const { editing, saves } = open()
    await editing.save()
    expect(saves).toEqual([])
    expect(editing.current().saving).toEqual({ state: 'saved' })
  })

  it('saves after a pause in typing, and saves text that was typed during a save in a second save', async () => {
    const { editing, saves, type, draft } = open()
    type('Call')
    type('Call me')
    expect(draft()?.values.customerNote).toBe('Call me')
    vi.advanceTimersByTime(700)
    expect(editing.current().saving).toEqual({ state: 'saving' })
    type('Call me. Sam')
    await wait()
    expect(saves.map(({ customerNote }) => customerNote)).toEqual(['Call me', 'Call me. Sam'])
    expect(editing.current()).toMatchObject({ saved: { version: 3 }, saving: { state: 'saved' } })
    expect(draft()).toBeUndefined()
  })

  it('saves nothing while a cell is invalid, and keeps the typed text', async () => {
    const { editing, saves, typeHours, draft } = open()
    typeHours('1.2345')
    await wait()
    expect(saves).toEqual([])
    expect(editing.current().saving).toMatchObject({
      state: 'incomplete',
      problems: [expect.any(String)],
    })
    expect(draft()?.values.jobs[0]?.lines[0]?.quantity).toBe('1.2345')
    typeHours('1.234')
    await wait()
    expect(saves[0]?.jobs[0]?.lines[0]?.quantityThousandths).toBe(1234)
  })

  it('tries again while the server does not respond', async () => {
    const { editing, server, type, draft } = open()
    server.failure = unanswered
    type('Call me')
    await wait()
    expect(editing.current().saving).toEqual({ state: 'unanswered', error: unanswered })
    expect(draft()?.values.customerNote).toBe('Call me')
    server.failure = undefined
    await wait(5_000)
    expect(server.document.customerNote).toBe('Call me')
    expect(editing.current().saving).toEqual({ state: 'saved' })
  })

  it('does not save again when only the response to a save was lost', async () => {
    const { editing, server, type } = open()
    type('Call me')
    server.version = 2
    server.document = withNote('Call me')
    await wait()
    expect(editing.current()).toMatchObject({ saved: { version: 2 }, saving: { state: 'saved' } })
  })

  it('does not report its own save as a version conflict when the user typed more before the response', async () => {
    const { editing, server, type } = open()
    type('Call me')
    server.version = 2
    server.document = withNote('Call me')
    vi.advanceTimersByTime(700)
    type('Call me now')
    await wait()
    expect(server.document.customerNote).toBe('Call me now')
    expect(editing.current()).toMatchObject({ saved: { version: 3 }, saving: { state: 'saved' } })
  })

  it('shows why the server refused the save until the user types something else', async () => {
    const { editing, server, type } = open()
    server.failure = refused
    type('x')
    await wait(20_000)
    expect(editing.current().saving).toEqual({ state: 'refused', error: refused })
    server.failure = undefined
    type('y')
    await wait()
    expect(editing.current().saving).toEqual({ state: 'saved' })
  })

  it('restores the unsaved draft after the page was closed and opened again', async () => {
    const { draft } = open()
    expect(draft()).toBeUndefined()
    const first = open()
    first.server.failure = unanswered
    first.type('Call me')
    await wait()
    first.editing.end()
    const storedDraft = first.draft()
    const second = open(storedDraft ? { draft: storedDraft } : {})
    expect(second.editing.current().values.customerNote).toBe('Call me')
    await wait()
    expect(second.server.document.customerNote).toBe('Call me')
  })
})

describe('a change of an estimate by another user', () => {
  it('appears in the form immediately when the user has typed nothing, and the lines keep their React keys', () => {
    const { editing } = open()
    const before = editing.current().values.jobs[0]?.lines[0]?.key
    editing.receive(seen(2, withNote('From Ana')))
    expect(editing.current().values.customerNote).toBe('From Ana')
    expect(editing.current().values.jobs[0]?.lines[0]?.key).toBe(before)
  })

  it('is not overwritten until the user chooses between the two versions', async () => {
    const { editing, server, saves, type } = open()
    server.version = 2
    server.document = withNote('From Ana')
    type('Mine')
    await wait()
    expect(saves).toHaveLength(1)
    expect(editing.current().saving).toMatchObject({ state: 'version_conflict' })
    expect(editing.current().values.customerNote).toBe('Mine')
    type('Mine again')
    await wait(30_000)
    expect(saves).toHaveLength(1)
    expect(server.document.customerNote).toBe('From Ana')
  })

  it('is reported when the estimate is loaded again, before a save is refused', () => {
    const { editing, type } = open()
    type('Mine')
    editing.receive(seen(2, withNote('From Ana')))
    expect(editing.current().saving).toMatchObject({ state: 'version_conflict' })
  })

  it('is merged with the typed changes when both changes affect different parts of the estimate', async () => {
    const { editing, server, typeHours } = open()
    server.version = 2
    server.document = {
      ...withNote('From Ana'),
      jobs: [job(jobKey, 'Front brakes'), job(otherKey, 'Coolant change')],
    }
    typeHours('2')
    await wait()
    void editing.keepMine()
    await wait()
    expect(server.version).toBe(3)
    expect(server.document.customerNote).toBe('From Ana')
    expect(server.document.jobs[0]?.lines[0]?.quantityThousandths).toBe(2000)
    expect(server.document.jobs[1]?.title).toBe('Coolant change')
  })

  it('replaces the typed changes when staff choose the other version', async () => {
    const { editing, server, saves, type } = open()
    server.version = 2
    server.document = withNote('From Ana')
    type('Mine')
    await wait()
    editing.discard()
    await wait()
    expect(saves).toHaveLength(1)
    expect(editing.current().values.customerNote).toBe('From Ana')
    expect(editing.current().saving).toEqual({ state: 'saved' })
  })

  it('does not remove an empty line from the form if the change affects only the state of the estimate', async () => {
    const { editing, saves } = open()
    editing.change(addLine(jobKey, emptyLine('labor', '')))
    await wait()
    expect(editing.current().saving).toEqual({ state: 'saved' })
    editing.receive(seen(2))
    expect(editing.current().values.jobs[0]?.lines).toHaveLength(2)
    expect(saves).toEqual([])
  })

  it('causes no version conflict if it affects only the state of the estimate', async () => {
    const { editing, server, type } = open()
    type('Mine')
    server.version = 2
    editing.receive(seen(2))
    await wait()
    expect(server.document.customerNote).toBe('Mine')
    expect(editing.current()).toMatchObject({ saved: { version: 3 }, saving: { state: 'saved' } })
  })
})
