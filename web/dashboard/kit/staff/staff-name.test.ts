import { describe, expect, it } from 'vitest'
import { nameAmong } from './staff-name.tsx'

const accounts = [
  { username: 'lena', name: 'Lena Marsh', created_at: '2026-11-24T17:00:00Z' },
  { username: 'admin', name: 'Luis Navarro', created_at: '2026-11-24T17:00:00+00:00' },
]

describe('who did something', () => {
  it('is the person whose username the record keeps', () => {
    expect(nameAmong(accounts, 'lena', '2026-11-25T09:00:00.123456+00:00')).toBe('Lena Marsh')
    expect(nameAmong(accounts, 'lena', '2026-11-24T09:00:00-08:00')).toBe('Lena Marsh')
  })

  it('is the username for what was done before the account existed, because several people shared it', () => {
    expect(nameAmong(accounts, 'admin', '2026-11-24T16:59:59Z')).toBe('admin')
  })

  it('is the username when no account has it', () => {
    expect(nameAmong(accounts, 'system', '2026-11-25T09:00:00Z')).toBe('system')
  })
})
