import { createPasswords, deriveKey } from '@local/data-service'

/**
 * Hashes passwords with a thousandth of the usual computing cost, for tests that hash and check many passwords. Only
 * this object can verify the hashes that it creates.
 */
export const fastPasswords = createPasswords((password, salt) =>
  deriveKey(password, salt, { kind: 'scrypt', ln: 5, r: 8, p: 1 }),
)
