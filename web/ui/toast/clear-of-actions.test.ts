import { expect, test } from 'vitest'
import { offsetAbove } from './clear-of-actions.ts'

const box = (left: number, top: number, width: number, height: number) => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
})
/** The box of a notification at the bottom of a phone's screen, 16 pixels from each edge. */
const notification = box(16, 744, 358, 84)
const button = (top: number) => box(16, top, 358, 48)

test('a notification that covers no button stays in place', () => {
  expect(offsetAbove(notification, [])).toBe(0)
  expect(offsetAbove(notification, [button(600), box(0, 744, 10, 84)])).toBe(0)
})

test('a notification moves above a button that it covers, and further up when it would then cover another button', () => {
  expect(offsetAbove(notification, [button(780)])).toBe(828 - 780 + 8)
  expect(offsetAbove(notification, [button(690), button(780)])).toBe(828 - 690 + 8)
  expect(offsetAbove(notification, [button(500), button(780)])).toBe(828 - 780 + 8)
})

test('a notification stays in place when the window has no free place above the covered button', () => {
  const buttons = Array.from({ length: 14 }, (_, nth) => button(20 + nth * 60))
  expect(offsetAbove(notification, buttons)).toBe(0)
})
