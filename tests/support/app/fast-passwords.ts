import { createPasswords, deriveWithScrypt } from '@local/data-service'

/**
 * Hashes passwords with scrypt at a thousandth of the cost, for tests that hash and check many. Only this object
 * verifies its hashes.
 */
export const fastPasswords = createPasswords((password, salt) =>
  deriveWithScrypt(password, salt, { ln: 5, r: 8, p: 1 }),
)
