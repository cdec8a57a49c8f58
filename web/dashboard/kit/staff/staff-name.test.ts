import { describe, expect, it } from 'vitest'
import { nameAmong } from './staff-name.tsx'

const accounts = [
  { username: 'lena', name: 'Lena Marsh', created_at: '2026-11-24T17:00:00Z' },
  { username: 'admin', name: 'Luis Navarro', created_at: '2026-11-24T17:00:00+00:00' },
]

describe('the name of the person who made a change', () => {
  it('is the name of the account with the recorded username', () => {
    expect(nameAmong(accounts, 'lena', '2026-11-25T09:00:00.123456+00:00')).toBe('Lena Marsh')
    expect(nameAmong(accounts, 'lena', '2026-11-24T09:00:00-08:00')).toBe('Lena Marsh')
  })

  it('is the username for a change before the account existed, because several people shared it', () => {
    expect(nameAmong(accounts, 'admin', '2026-11-24T16:59:59Z')).toBe('admin')
  })

  it('is the recorded username when no account has it', () => {
    expect(nameAmong(accounts, 'system', '2026-11-25T09:00:00Z')).toBe('system')
  })
})
