import { describe, expect, test } from 'vitest'
import { createSubmissionGate } from './submission-gate.ts'

describe('submitting an invoice number', () => {
  test('is ignored while an earlier submission is running, however long that takes', () => {
    let now = 0
    const gate = createSubmissionGate(() => now)
    expect(gate.isOpen()).toBe(true)
    gate.close()
    now = 60_000
    expect(gate.isOpen()).toBe(false)
    gate.release()
    expect(gate.isOpen()).toBe(true)
  })

  test('is ignored for half a second after the start of an earlier submission, even if the earlier submission already has a response', () => {
    let now = 1_000
    const gate = createSubmissionGate(() => now)
    gate.close()
    gate.release()
    now = 1_499
    expect(gate.isOpen()).toBe(false)
    now = 1_500
    expect(gate.isOpen()).toBe(true)
  })
})
