import { describe, expect, it } from 'vitest'
import { draftSavedAt } from './estimate-details.ts'

const sentAt = '2026-11-20T18:40:00.000Z'

describe('the time at which the draft was saved', () => {
  it('is the time at which staff sent the estimate if only the email address changed later', () => {
    expect(draftSavedAt({ savedAt: '2026-11-20T18:42:00.000Z', sentAt })).toBe(sentAt)
  })

  it('is the time of the last save before staff sent the estimate', () => {
    const savedAt = '2026-11-20T18:31:00.000Z'
    expect(draftSavedAt({ savedAt, sentAt })).toBe(savedAt)
    expect(draftSavedAt({ savedAt, sentAt: null })).toBe(savedAt)
  })
})
