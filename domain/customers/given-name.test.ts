import { expect, test } from 'vitest'
import { givenName } from './given-name.ts'

test.each([
  ['Dana Whitfield', 'Dana'],
  ['  Dana   J. Whitfield Jr. ', 'Dana'],
  ['Anne-Marie O’Neill', 'Anne-Marie'],
  ["D'Arcy Kealoha-ʻĀina", "D'Arcy"],
  ['Nguyễn Thị Minh Khai', 'Nguyễn'],
  ['Zoe\u0308 van der Berg', 'Zoë'],
  ['佐々木 健', '佐々木'],
  ['محمد علي', 'محمد'],
])('greets %j as %s', (name, expected) => {
  expect(givenName(name)).toBe(expected)
})

test.each([
  ['nothing', ''],
  ['an initial', 'J.R. Ewing'],
  ['a site', 'win7.com'],
  ['a site after words', 'Your prize waits at win7.com'],
  ['a site with another dot', 'win․com'],
  ['a site with an ideographic dot', 'win。com'],
  ['a site with a letter that looks like a dot', 'winꞏcom'],
  ['a site with a soft hyphen', 'win\u00ad.com'],
  ['spaces around a dot', 'win . com'],
  ['an address', 'https://evil.example/win'],
  ['a disguised address', 'hxxp evil example/win'],
  ['an e-mail address', 'prize@evil.example'],
  ['a phone number', 'Call 1-900-555-0199 now'],
  ['other digits', 'Call ١٩٠٠ now'],
  ['a sentence', 'You have won a new car today'],
  ['a sentence without spaces', '点击链接领取您的大奖'],
  ['a sentence with hyphens', 'Click-Here-Now Please'],
  ['a right-to-left override', 'Dana\u202eevil'],
  ['an endless word', 'D' + 'a'.repeat(30)],
  ['a pile of marks', `D${'\u0301'.repeat(9)}ana`],
])('%s is no name for a greeting', (_case, name) => {
  expect(givenName(name)).toBe('')
})
