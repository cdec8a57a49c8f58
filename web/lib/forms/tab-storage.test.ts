import { beforeEach, afterEach, describe, expect, test, vi } from 'vitest'
import { createTabStorage, readStoredTexts } from './tab-storage.ts'

const empty = { name: '', phone: '' }
const memory = createTabStorage('draft', (stored) => readStoredTexts(stored, empty))
const entries = new Map<string, string>()

beforeEach(() => {
  entries.clear()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

describe('the memory of a tab', () => {
  test('gives back what was begun, until it is forgotten', () => {
    memory.remember({ name: 'Dana', phone: '' })
    expect(memory.recall()).toEqual({ name: 'Dana', phone: '' })
    memory.forget()
    expect(entries.size).toBe(0)
  })

  test.each(['[]', '7', '{"name":3,"other":"x"}'])('takes no text from %s', (stored) => {
    entries.set('draft', stored)
    expect(memory.recall()).toEqual(empty)
  })

  test('takes the texts of a form that has changed since', () => {
    entries.set('draft', '{"name":"Dana","fax":"555"}')
    expect(memory.recall()).toEqual({ name: 'Dana', phone: '' })
  })

  test('has nothing of what cannot be read, or where storage is forbidden', () => {
    entries.set('draft', '{{')
    expect(memory.recall()).toBeUndefined()
    vi.stubGlobal('sessionStorage', undefined)
    memory.remember({ name: 'Dana', phone: '' })
    memory.forget()
    expect(memory.recall()).toBeUndefined()
  })
})
