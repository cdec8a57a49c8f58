import { beforeEach, afterEach, describe, expect, test, vi } from 'vitest'
import { createTabStorage, readStoredTexts } from './tab-memory.ts'

const empty = { name: '', phone: '' }
const memory = createTabStorage('draft', (stored) => readStoredTexts(stored, empty))
const kept = new Map<string, string>()

beforeEach(() => {
  kept.clear()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

describe('the memory of a tab', () => {
  test('gives back what was begun, until it is forgotten', () => {
    memory.remember({ name: 'Dana', phone: '' })
    expect(memory.recall()).toEqual({ name: 'Dana', phone: '' })
    memory.forget()
    expect(kept.size).toBe(0)
  })

  test.each(['[]', '7', '{"name":3,"other":"x"}'])('takes no text from %s', (stored) => {
    kept.set('draft', stored)
    expect(memory.recall()).toEqual(empty)
  })

  test('takes the texts of a form that has changed since', () => {
    kept.set('draft', '{"name":"Dana","fax":"555"}')
    expect(memory.recall()).toEqual({ name: 'Dana', phone: '' })
  })

  test('has nothing of what cannot be read, or where storage is forbidden', () => {
    kept.set('draft', '{{')
    expect(memory.recall()).toBeUndefined()
    vi.stubGlobal('sessionStorage', undefined)
    memory.remember({ name: 'Dana', phone: '' })
    memory.forget()
    expect(memory.recall()).toBeUndefined()
  })
})
