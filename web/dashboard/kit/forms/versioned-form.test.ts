import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { versionConflictCode } from '#contracts/database-errors.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import { VersionedRecord, type RecordRules } from './versioned-form.ts'
import type { Draft, Saved } from './versioned-draft.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Form = { name: string; phone: string; note: string }
type Rules = RecordRules<Form, Saved<Form>>

const form: Form = { name: 'Torque', phone: '0142', note: '' }
const conflict = new DataError({ message: 'Changed.', code: versionConflictCode }, 400)
const unanswered = new DataError({ message: 'Offline.' }, 0)
const refused = new DataError({ message: 'Too long.', code: '23514' }, 400)

/**
 * Creates a form that saves to a fake server. The server stores one record and refuses to save over
 * an older version.
 */
function open(rules: Partial<Rules> = {}, stored?: Draft<Form>) {
  const server = { version: 1, form, failure: undefined as Error | undefined, isAnswerLost: false }
  const sent: Form[] = []
  let draft = stored
  const record = new VersionedRecord<Form, Saved<Form>>(
    { form, version: 1 },
    {
      othersChanges: 'shown',
      async write(values, version) {
        sent.push(values)
        await Promise.resolve()
        if (server.failure) throw server.failure
        if (version !== server.version) throw conflict
        server.version += 1
        server.form = values
        if (server.isAnswerLost) throw unanswered
        return { form: values, version: server.version }
      },
      read: async () => ({ form: server.form, version: server.version }),
      draftStorage: {
        remember: (next) => void (draft = next),
        recall: () => draft,
        forget: () => void (draft = undefined),
      },
      ...rules,
    },
  )
  return {
    record,
    server,
    sent,
    draft: () => draft,
    type: (change: Partial<Form>) => record.change((shown) => ({ ...shown, ...change })),
    /** Saves the record as another window would: with the current version, and not through the tested form. */
    saveElsewhere: (change: Partial<Form>) => {
      server.version += 1
      server.form = { ...server.form, ...change }
      return { form: server.form, version: server.version }
    },
  }
}
const kindOf = async (save: Promise<{ kind: string }>) => (await save).kind

describe('a form whose record no other user changes', () => {
  test('sends nothing when the user typed nothing or typed the saved values again', async () => {
    const { record, sent, type, draft } = open()
    expect(await kindOf(record.save())).toBe('unchanged')
    type({ name: 'Timing' })
    expect(draft()?.values.name).toBe('Timing')
    type({ name: 'Torque' })
    expect(draft()).toBeUndefined()
    expect(record.current()).toMatchObject({ draft: undefined, saving: { state: 'saved' } })
    expect(await kindOf(record.save())).toBe('unchanged')
    expect(sent).toEqual([])
  })

  test('saves over the version that the user has seen, and only once for two presses of Save', async () => {
    const { record, server, sent, type, draft } = open()
    type({ name: 'Timing' })
    const [first, second] = [record.save(), record.save()]
    expect(record.current().saving.state).toBe('saving')
    expect(await first).toEqual({ kind: 'saved', changed: ['name'] })
    await second
    expect(sent).toHaveLength(1)
    expect(server.form.name).toBe('Timing')
    expect(draft()).toBeUndefined()
  })

  test('keeps values that the user types during a save, even when they equal the formerly saved values', async () => {
    const { record, type } = open()
    type({ name: 'Timing' })
    const saving = record.save()
    type({ name: 'Torque', phone: '0155' })
    await saving
    expect(record.current().values).toEqual({ ...form, phone: '0155' })
    expect(await record.save()).toEqual({ kind: 'saved', changed: ['name', 'phone'] })
  })

  test('keeps the typed values after a failed save', async () => {
    const { record, server, type, draft } = open()
    type({ name: 'Timing' })
    server.failure = refused
    expect(await record.save()).toEqual({ kind: 'failed', error: refused })
    expect(draft()?.values.name).toBe('Timing')
    server.failure = undefined
    expect(await kindOf(record.save())).toBe('saved')
  })

  test('reports a saved record at the second press of Save when only the response to the first press was lost', async () => {
    const { record, server, type } = open()
    type({ name: 'Timing' })
    server.isAnswerLost = true
    expect(await kindOf(record.save())).toBe('failed')
    server.isAnswerLost = false
    expect(await kindOf(record.save())).toBe('saved')
    expect(server).toMatchObject({ version: 2, form: { name: 'Timing' } })
  })

  test('keeps the draft when the user cancels the save', async () => {
    const { record, type } = open({ write: async () => 'declined' })
    type({ name: 'Timing' })
    expect(await kindOf(record.save())).toBe('declined')
    expect(record.current().values.name).toBe('Timing')
  })

  test('shows the saved values until it closes, even if a newer record arrives', async () => {
    const { record, type, draft } = open({ write: async () => 'ended' })
    type({ name: 'Timing ' })
    const saving = record.save()
    record.receive({ form: { ...form, name: 'Timing' }, version: 2 })
    expect(await saving).toEqual({ kind: 'saved', changed: ['name'] })
    record.receive({ form, version: 3 })
    expect(record.current()).toMatchObject({
      values: { name: 'Timing ' },
      draft: undefined,
      saving: { state: 'saved' },
    })
    expect(draft()).toBeUndefined()
  })

  test('discards the draft when the user presses Discard', () => {
    const { record, type, draft } = open()
    type({ name: 'Timing' })
    record.discard()
    expect(record.current().values).toEqual(form)
    expect(draft()).toBeUndefined()
  })

  test('shows the newest record when the user has typed nothing', () => {
    const { record, saveElsewhere } = open()
    record.receive(saveElsewhere({ phone: '0188' }))
    record.receive({ form, version: 1 })
    expect(record.current().values.phone).toBe('0188')
  })

  test('restores a stored draft', async () => {
    const stored = { base: form, values: { ...form, name: 'Timing' }, version: 1 }
    const { record, server } = open({}, stored)
    expect(record.current().values.name).toBe('Timing')
    await record.save()
    expect(server.form.name).toBe('Timing')
  })
})

describe('a form that shows another user’s changes before it saves', () => {
  test('saves both users’ changes at the second press of Save', async () => {
    const { record, server, type, saveElsewhere } = open()
    type({ name: 'Timing' })
    saveElsewhere({ phone: '0188' })
    expect(await kindOf(record.save())).toBe('version_conflict')
    expect(server.form.name).toBe('Torque')
    expect(record.current()).toMatchObject({
      values: { name: 'Timing', phone: '0188' },
      overlaps: [],
      draft: { since: 1, version: 2 },
    })
    expect(await kindOf(record.save())).toBe('saved')
    expect(server.form).toEqual({ ...form, name: 'Timing', phone: '0188' })
  })

  test('does not save while a received change was not yet shown to the user', async () => {
    const { record, sent, type, saveElsewhere } = open()
    type({ name: 'Timing' })
    record.receive(saveElsewhere({ phone: '0188' }))
    expect(record.current().values.phone).toBe('0188')
    expect(await kindOf(record.save())).toBe('version_conflict')
    expect(sent).toEqual([])
  })

  test('lists a field that both users changed until the user chooses the other value', async () => {
    const { record, server, type, saveElsewhere } = open()
    type({ phone: '0155', name: 'Timing' })
    saveElsewhere({ phone: '0188' })
    await record.save()
    expect(record.current()).toMatchObject({ overlaps: ['phone'], values: { phone: '0155' } })
    type({ phone: '0188' })
    expect(record.current().overlaps).toEqual([])
    await record.save()
    expect(server.form).toEqual({ ...form, name: 'Timing', phone: '0188' })
  })

  test('also shows another user’s second change before it saves', async () => {
    const { record, type, saveElsewhere } = open()
    type({ name: 'Timing' })
    saveElsewhere({ phone: '0188' })
    await record.save()
    saveElsewhere({ note: 'Call' })
    expect(await kindOf(record.save())).toBe('version_conflict')
    expect(record.current().draft).toMatchObject({ since: 1, version: 3 })
    expect(await kindOf(record.save())).toBe('saved')
  })

  test('saves without asking if another user saved a newer version without changing a value', async () => {
    const { record, type, saveElsewhere } = open()
    type({ name: 'Timing' })
    saveElsewhere({})
    expect(await kindOf(record.save())).toBe('saved')
  })

  test('discards the draft when another user saved the same values', () => {
    const { record, type, saveElsewhere, draft } = open()
    type({ name: 'Timing' })
    record.receive(saveElsewhere({ name: 'Timing' }))
    expect(record.current().draft).toBeUndefined()
    expect(draft()).toBeUndefined()
  })
})

describe('a form that merges another user’s changes without showing them', () => {
  const merged = { othersChanges: 'merged' } as const

  test('saves the changes of both users together when they changed different fields', async () => {
    const { record, server, sent, type, saveElsewhere } = open(merged)
    type({ name: 'Timing' })
    saveElsewhere({ phone: '0188' })
    expect(await kindOf(record.save())).toBe('saved')
    expect(sent).toHaveLength(2)
    expect(server.form).toEqual({ ...form, name: 'Timing', phone: '0188' })
  })

  test('lets the user choose when both users changed the same field', async () => {
    const { record, server, sent, type, saveElsewhere } = open(merged)
    type({ phone: '0155', name: 'Timing' })
    saveElsewhere({ phone: '0188', note: 'Call' })
    expect(await kindOf(record.save())).toBe('version_conflict')
    expect(await kindOf(record.save())).toBe('version_conflict')
    expect(sent).toHaveLength(1)
    expect(record.current()).toMatchObject({
      overlaps: ['phone'],
      saved: { form: { phone: '0188' } },
    })
    expect(await kindOf(record.keepMine())).toBe('saved')
    expect(server.form).toEqual({ name: 'Timing', phone: '0155', note: 'Call' })
  })

  test('does not ask the user to choose once the user has typed the value that the other user saved', async () => {
    const { record, server, type, saveElsewhere } = open(merged)
    type({ phone: '0155', name: 'Timing' })
    saveElsewhere({ phone: '0188' })
    await record.save()
    type({ phone: '0188' })
    expect(record.current().saving.state).toBe('waiting')
    expect(await kindOf(record.save())).toBe('saved')
    expect(server.form).toEqual({ ...form, name: 'Timing', phone: '0188' })
  })

  test('fails when the server refuses a save although the form has the current version', async () => {
    const { record, server, type } = open(merged)
    type({ name: 'Timing' })
    server.failure = conflict
    expect(await kindOf(record.save())).toBe('failed')
    expect(record.current().values.name).toBe('Timing')
  })
})

describe('two windows with forms of the same record', () => {
  test.each(['shown', 'merged', 'chosen'] as const)(
    'keep the changes of both windows when they edit different fields (%s)',
    async (othersChanges) => {
      const { record, server, type, saveElsewhere } = open({ othersChanges })
      type({ name: 'Timing' })
      saveElsewhere({ phone: '0188' })
      if ((await kindOf(record.save())) === 'version_conflict') await record.keepMine()
      expect(server.form).toEqual({ ...form, name: 'Timing', phone: '0188' })
    },
  )
})
