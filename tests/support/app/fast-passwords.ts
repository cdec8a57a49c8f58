import { createPasswords, deriveKey } from '@local/data-service'

/**
 * Hashes passwords at a thousandth of the cost, for tests that hash and check many passwords. Only this object verifies
 * its hashes.
 */
export const fastPasswords = createPasswords((password, salt) =>
  deriveKey(password, salt, { kind: 'scrypt', ln: 5, r: 8, p: 1 }),
)
