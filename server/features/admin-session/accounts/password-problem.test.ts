import { expect, it } from 'vitest'
import { findPasswordProblem } from './password-problem.ts'
import { generatePassword } from './generate-password.ts'

it.each([
  ['correct horse battery', undefined],
  ['ünïcödé pässwörd', undefined],
  [generatePassword(), undefined],
  ['elevenchars', 'must have at least 12 characters'],
  ['👍'.repeat(11), 'must have at least 12 characters'],
  ['x'.repeat(201), 'must have at most 200 characters'],
  ['1qaz2wsx3edc', 'is one of the most common passwords, which attackers try first'],
  ['QWERTY123456', 'is one of the most common passwords, which attackers try first'],
])('%s: %s', async (password, problem) => {
  expect(await findPasswordProblem(password)).toBe(problem)
})
