import { beforeEach, afterEach, describe, expect, test, vi } from 'vitest'
import { createDraftStorage, readStoredTexts } from './draft-storage.ts'

type Form = typeof empty

const empty = { name: '', phone: '' }
const read = (stored: unknown) => readStoredTexts<Form>(stored, empty)
const draft = createDraftStorage('draft', read)
const entries = new Map<string, string>()
const storage = {
  getItem: (key: string) => entries.get(key) ?? null,
  setItem: (key: string, value: string) => void entries.set(key, value),
  removeItem: (key: string) => void entries.delete(key),
}

beforeEach(() => {
  entries.clear()
  vi.stubGlobal('sessionStorage', storage)
})
afterEach(() => vi.unstubAllGlobals())

describe('the draft of a form in one tab', () => {
  test('is stored until `forget` is called', () => {
    draft.remember({ name: 'Dana', phone: '' })
    expect(draft.recall()).toEqual({ name: 'Dana', phone: '' })
    draft.forget()
    expect(entries.size).toBe(0)
  })

  test.each(['[]', '7', '{"name":3,"other":"x"}'])(
    'contains only empty texts if the storage contains %s',
    (stored) => {
      entries.set('draft', stored)
      expect(draft.recall()).toEqual(empty)
    },
  )

  test('drops the stored texts of fields that the form no longer has', () => {
    entries.set('draft', '{"name":"Dana","fax":"555"}')
    expect(draft.recall()).toEqual({ name: 'Dana', phone: '' })
  })

  test('is undefined when the stored text is invalid or the browser forbids storage', () => {
    entries.set('draft', '{{')
    expect(draft.recall()).toBeUndefined()
    vi.stubGlobal('sessionStorage', undefined)
    draft.remember({ name: 'Dana', phone: '' })
    draft.forget()
    expect(draft.recall()).toBeUndefined()
  })
})

describe('the draft of a form that survives its tab', () => {
  beforeEach(() => {
    vi.stubGlobal('sessionStorage', undefined)
    vi.stubGlobal('localStorage', storage)
  })
  const openTab = () => createDraftStorage('draft', read, { survivesTab: true })

  test('can be read in another tab', () => {
    openTab().remember({ name: 'Dana', phone: '' })
    expect(openTab().recall()?.name).toBe('Dana')
  })

  test('is deleted by `forget` in the tab that wrote or read the draft last', () => {
    const [first, second] = [openTab(), openTab()]
    first.remember({ name: 'Dana', phone: '' })
    second.recall()
    second.forget()
    expect(entries.size).toBe(0)
  })

  test('is not deleted by `forget` after another tab has overwritten the draft', () => {
    const [first, second] = [openTab(), openTab()]
    first.remember({ name: 'Dana', phone: '' })
    second.remember({ name: 'Robin', phone: '' })
    first.forget()
    expect(openTab().recall()?.name).toBe('Robin')
  })
})
