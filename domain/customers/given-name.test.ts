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
])('the name %j is shortened to %s for the greeting', (name, expected) => {
  expect(givenName(name)).toBe(expected)
})

test.each([
  ['an empty text', ''],
  ['two initials and a surname', 'J.R. Ewing'],
  ['a domain name', 'win7.com'],
  ['a domain name after words', 'Your prize waits at win7.com'],
  ['a domain name with a character that looks like a dot', 'win․com'],
  ['a domain name with an ideographic dot', 'win。com'],
  ['a domain name with a letter that looks like a dot', 'winꞏcom'],
  ['a domain name with a soft hyphen', 'win\u00ad.com'],
  ['a domain name with spaces around its dot', 'win . com'],
  ['a URL', 'https://evil.example/win'],
  ['a disguised URL', 'hxxp evil example/win'],
  ['an email address', 'prize@evil.example'],
  ['a phone number', 'Call 1-900-555-0199 now'],
  ['a number in Arabic digits', 'Call ١٩٠٠ now'],
  ['a sentence', 'You have won a new car today'],
  ['a sentence without spaces', '点击链接领取您的大奖'],
  ['a sentence with hyphens', 'Click-Here-Now Please'],
  ['text with a right-to-left override', 'Dana\u202eevil'],
  ['a word of 31 letters', 'D' + 'a'.repeat(30)],
  ['a letter with nine combining marks', `D${'\u0301'.repeat(9)}ana`],
])('the greeting omits a name that is %s', (_case, name) => {
  expect(givenName(name)).toBe('')
})
