import type { Way } from './payment-text.ts'

const storageKey = 'admin_payment_method'

/** The payment methods of the panel, in the order of their buttons. */
export const ways: readonly { way: Way; name: string; key: string }[] = [
  { way: 'card_terminal', name: 'Terminal', key: 't' },
  { way: 'cash', name: 'Cash', key: 'c' },
  { way: 'check', name: 'Check', key: 'k' },
  { way: 'other', name: 'Other', key: 'o' },
  { way: 'link', name: 'Link', key: 'l' },
]

/** The payment method that staff used last in this browser: a method at the counter, or the link to pay online. */
export function lastWay(): Way {
  const stored = localStorage.getItem(storageKey)
  return ways.find(({ way }) => way === stored)?.way ?? 'card_terminal'
}

export const rememberWay = (way: Way) => localStorage.setItem(storageKey, way)
