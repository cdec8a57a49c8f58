import { describe, expect, test } from 'vitest'
import {
  rebaseDraft,
  changedNames,
  changeDraft,
  type Draft,
  draftAfterSave,
  mergeDraft,
} from './versioned-draft.ts'

type Form = { name: string; phone: string; isPaused: boolean }

const first = { form: { name: 'Torque', phone: '0142', isPaused: false } as Form, version: 1 }
const serverState = { form: { name: 'Torque', phone: '0188', isPaused: true } as Form, version: 3 }

const displayedValues = (draft: Draft<Form>, saved = first) => mergeDraft(draft, saved).values
const withChanges = (changes: Partial<Form>, before?: Draft<Form>, saved = first): Draft<Form> => {
  const shown = mergeDraft(before, saved).values
  return changeDraft(before, saved, shown, { ...shown, ...changes })
}

describe('a draft of a form', () => {
  test('has no changed field after the user typed the saved values again', () => {
    const draft = withChanges({ name: 'Timing' })
    expect(changedNames(draft)).toEqual(['name'])
    expect(changedNames(withChanges({ name: 'Torque' }, draft))).toEqual([])
  })

  test('shows the newest saved values in fields that the user has not changed, without counting these fields as changed', () => {
    const draft = withChanges({ name: 'Timing' })
    expect(displayedValues(draft, serverState)).toEqual({ ...serverState.form, name: 'Timing' })
    expect(changedNames(withChanges({ name: 'Timings' }, draft, serverState))).toEqual(['name'])
  })

  test('keeps the version that the user has seen until the draft is rebased on a newer one', () => {
    const draft = withChanges({ name: 'Timing' })
    expect(draft.version).toBe(1)
    expect(withChanges({ name: 'Timings' }, draft, serverState).version).toBe(1)
    expect(rebaseDraft(draft, serverState)).toMatchObject({
      version: 3,
      since: 1,
      values: { name: 'Timing', phone: '0188' },
    })
    expect(changedNames(rebaseDraft(draft, serverState))).toEqual(['name'])
  })

  test('keeps the typed value of a field that the other user changed too', () => {
    const draft = rebaseDraft(withChanges({ phone: '0155' }), serverState)
    expect(draft.values.phone).toBe('0155')
    expect(draft.base.phone).toBe('0188')
    expect(mergeDraft(draft, serverState).overlaps).toEqual(['phone'])
    const taken = withChanges({ phone: '0188' }, draft, serverState)
    expect(mergeDraft(taken, serverState).overlaps).toEqual([])
  })

  test('still names the version that the user saw first after several rebases', () => {
    const draft = rebaseDraft(withChanges({ name: 'Timing' }), serverState)
    expect(rebaseDraft(draft, { ...serverState, version: 7 })).toMatchObject({
      version: 7,
      since: 1,
    })
  })

  test('keeps a field as unsaved if the user typed in it during a save', () => {
    const sent = withChanges({ name: 'Timing' })
    const more = withChanges({ phone: '0155' }, sent)
    const saved = { form: { ...first.form, name: 'Timing' }, version: 2 }
    expect(draftAfterSave(sent.values, sent.values, saved)).toBeUndefined()
    expect(draftAfterSave(more.values, sent.values, saved)).toEqual({
      base: saved.form,
      values: { ...saved.form, phone: '0155' },
      version: 2,
    })
  })
})
