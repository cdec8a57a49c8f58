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

describe('the storage of a tab', () => {
  test('returns the stored draft until it is deleted', () => {
    memory.remember({ name: 'Dana', phone: '' })
    expect(memory.recall()).toEqual({ name: 'Dana', phone: '' })
    memory.forget()
    expect(entries.size).toBe(0)
  })

  test.each(['[]', '7', '{"name":3,"other":"x"}'])('reads %s as an empty form', (stored) => {
    entries.set('draft', stored)
    expect(memory.recall()).toEqual(empty)
  })

  test('reads the known fields of a draft from an earlier version of the form', () => {
    entries.set('draft', '{"name":"Dana","fax":"555"}')
    expect(memory.recall()).toEqual({ name: 'Dana', phone: '' })
  })

  test('returns undefined for invalid JSON, and in a browser that forbids storage', () => {
    entries.set('draft', '{{')
    expect(memory.recall()).toBeUndefined()
    vi.stubGlobal('sessionStorage', undefined)
    memory.remember({ name: 'Dana', phone: '' })
    memory.forget()
    expect(memory.recall()).toBeUndefined()
  })
})
