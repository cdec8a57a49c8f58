import { expect, it } from 'vitest'
import { shortenAround } from './shorten-around.ts'

const textsOf = (pieces: string[]) => shortenAround(pieces).map(({ text }) => text)
const long = 'word '.repeat(40)

it('shortenAround leaves a short text unchanged', () => {
  expect(textsOf(['Sent by ', 'zoe.q@example.com', ', thanks.'])).toEqual([
    'Sent by ',
    'zoe.q@example.com',
    ', thanks.',
  ])
})

it('shortenAround shortens the text before, between and after the replaced parts, and never the replaced parts themselves', () => {
  const found = '6505550143'.repeat(20)
  const [before = '', first, between = '', second, after = ''] = textsOf([
    long,
    found,
    long,
    found,
    long,
  ])
  expect([first, second]).toEqual([found, found])
  expect(before).toMatch(/^… word .{50,56}$/)
  expect(between).toMatch(/^word .{50,60} … .{50,60}$/)
  expect(after).toMatch(/^word .{50,60} …$/)
})

it('shortenAround marks every second part as replaced, beginning with the second part', () => {
  expect(shortenAround(['a', 'b', 'c']).map(({ isReplaced }) => isReplaced)).toEqual([
    false,
    true,
    false,
  ])
})

it('shortenAround never cuts a character in half', () => {
  expect(textsOf(['🔧'.repeat(61), 'x', ''])[0]).toBe(`… ${'🔧'.repeat(60)}`)
})
