import { createPasswords, deriveWithScrypt } from '#packages/data-service/auth/passwords.ts'

/** Real scrypt at a thousandth of the price, for tests that make and check many; only it reads what it made. */
export const fastPasswords = createPasswords((password, salt) =>
  deriveWithScrypt(password, salt, { ln: 5, r: 8, p: 1 }),
)
