import { expect, it } from 'vitest'
import type { DayClose } from '#contracts/payments/day-close.ts'
import { checkDraft, closeFigures, closeInput, type CloseDraft, emptyDraft } from './close-draft.ts'

const nothing = { cents: 0, payments: 0, refunds: 0 }
const day: DayClose = {
  day: '2026-11-27',
  today: '2026-11-27',
  drawer: 'Counter',
  hasLines: true,
  isBeforeClosedDay: false,
  startCents: 20_000,
  cash: {
    inCents: 33_995,
    refundedCents: 2000,
    paidInCents: 0,
    paidOutCents: 0,
    changeCents: 31_995,
  },
  methods: {
    cash: { cents: 31_995, payments: 3, refunds: 1 },
    card_terminal: { cents: 68_182, payments: 3, refunds: 0 },
    card_online: nothing,
    check: nothing,
    other: nothing,
  },
  checks: [],
  movements: [],
  latestCash: null,
  unclosedDays: [],
  close: null,
  countsFirst: false,
  printFormat: 'receipt',
}
/** The typed numbers of bills and coins for $519.95, which equals the expected cash. */
const matching: CloseDraft = { ...emptyDraft, counts: { 10000: '5', 100: '19', 25: '3', 10: '2' } }
const short: CloseDraft = { ...matching, counts: { ...matching.counts, 100: '15' } }

it('a day close proposes to leave the opening cash in the drawer and to bring the rest to the bank, but never more than was counted', () => {
  expect(closeFigures(day, matching)).toMatchObject({
    expectedCents: 51_995,
    differenceCents: 0,
    remainsCents: 20_000,
    bankCents: 31_995,
    differs: false,
  })
  expect(closeFigures(day, { ...emptyDraft, counts: { 2000: '3' } })).toMatchObject({
    remainsCents: 6000,
    bankCents: 0,
  })
  expect(closeFigures(day, { ...matching, remains: '100' })).toMatchObject({ bankCents: 41_995 })
})

it('a day close requires a reason when the cash or a typed total differs from the expected amount, and a note for the reason Other', () => {
  expect(checkDraft(day, matching)).toEqual({})
  expect(checkDraft(day, short)).toEqual({ reason: 'Please choose a reason for $4.00 short.' })
  expect(checkDraft(day, { ...matching, terminal: '700' })).toEqual({
    reason: 'Please choose a reason for $18.18 over.',
  })
  expect(Object.keys(checkDraft(day, { ...short, reason: 'other' }))).toEqual(['note'])
  expect(checkDraft(day, { ...short, reason: 'wrong_change' })).toEqual({})
})

it('a day close refuses an invalid amount, and more cash left in the drawer than was counted', () => {
  expect(Object.keys(checkDraft(day, { ...matching, terminal: 'x', remains: 'y' }))).toEqual([
    'terminal',
    'remains',
  ])
  expect(checkDraft(day, { ...matching, remains: '520' })).toEqual({
    remains: 'At most $519.95, the counted cash, can stay in the drawer.',
  })
})

it('only the first day close of a shop requires and sends the cash at the start of the day', () => {
  const first = { ...day, startCents: null }
  expect(Object.keys(checkDraft(first, matching))).toContain('start')
  const draft = { ...matching, start: '200.00' }
  expect(checkDraft(first, draft)).toEqual({})
  expect(closeInput(first, draft)).toMatchObject({ startCents: 20_000, seenExpectedCents: 51_995 })
  expect(closeInput(day, draft).startCents).toBeNull()
})

it('a day close sends a reason only if counted and expected amounts differ, and omits an empty note', () => {
  expect(closeInput(day, { ...matching, reason: 'not_known', note: ' ' })).toMatchObject({
    reason: null,
    note: null,
    terminalCents: null,
  })
  expect(closeInput(day, { ...short, reason: 'not_known', note: 'Twice ' })).toMatchObject({
    reason: 'not_known',
    note: 'Twice',
  })
})
