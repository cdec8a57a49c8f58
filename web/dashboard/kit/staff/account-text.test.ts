import { expect, test } from 'vitest'
import { firstNameOf, initialsOf } from './account-text.ts'

test.each([
  ['Lena Marsh', 'Lena', 'LM'],
  [' Ana  de la Cruz ', 'Ana', 'AC'],
  ['admin', 'admin', 'A'],
  ['ökı 𝒵', 'ökı', 'Ö𝒵'],
  ['', '', ''],
])(
  'the dashboard shortens the name "%s" to the first name "%s" and the initials "%s"',
  (name, first, initials) => {
    expect([firstNameOf(name), initialsOf(name)]).toEqual([first, initials])
  },
)
