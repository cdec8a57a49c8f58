import type { CloseReason, DayClose } from '#contracts/payments/day-close.ts'
import { differenceText, parseCashCount, sumCashCount } from '#domain/money/cash-count.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { parseCents } from '#domain/money/money.ts'

/**
 * The values that staff type while they close a day. Amounts are texts in dollars, as typed. `counts` contains the
 * typed numbers of bills and coins, by the value of the bill or coin in cents.
 */
export type CloseDraft = {
  /**
   * The cash that was in the drawer at the start of the day. The form asks for this amount only at the shop's first
   * close. Later closes use the cash that remained after the previous close.
   */
  readonly start: string
  readonly counts: Readonly<Record<string, string>>
  readonly terminal: string
  readonly check: string
  readonly reason: CloseReason | ''
  readonly note: string
  /**
   * The amount of cash that staff leave in the drawer for the next day; empty while staff accept the proposed amount.
   */
  readonly remains: string
}

export const emptyDraft: CloseDraft = {
  start: '',
  counts: {},
  terminal: '',
  check: '',
  reason: '',
  note: '',
  remains: '',
}

/** The amounts that the form calculates for the close of a day, in cents. */
export type CloseFigures = {
  readonly isCounted: boolean
  readonly startCents: number
  readonly expectedCents: number
  readonly countedCents: number
  readonly differenceCents: number
  /**
   * The total of the payments at the card terminal that staff typed, minus the expected total, in cents; null if staff
   * typed no total. `checkDifferenceCents` is the same for payments by check.
   */
  readonly terminalDifferenceCents: number | null
  readonly checkDifferenceCents: number | null
  readonly remainsCents: number
  readonly bankCents: number
  /** Whether a counted amount differs from the expected amount. A difference requires a reason. */
  readonly differs: boolean
}

export function closeFigures(day: DayClose, draft: CloseDraft): CloseFigures {
  const startCents = day.startCents ?? parseCents(draft.start) ?? 0
  const expectedCents = startCents + day.cash.changeCents
  const countedCents = sumCashCount(parseCashCount(draft.counts))
  const differenceCents = countedCents - expectedCents
  const terminalDifferenceCents = typedDifference(draft.terminal, day.methods.card_terminal.cents)
  const checkDifferenceCents = typedDifference(draft.check, day.methods.check.cents)
  const proposed = Math.min(startCents, countedCents)
  const remainsCents = draft.remains === '' ? proposed : (parseCents(draft.remains) ?? 0)
  const differences = [differenceCents, terminalDifferenceCents ?? 0, checkDifferenceCents ?? 0]
  return {
    isCounted: Object.values(draft.counts).some((count) => count !== ''),
    startCents,
    expectedCents,
    countedCents,
    differenceCents,
    terminalDifferenceCents,
    checkDifferenceCents,
    remainsCents,
    bankCents: countedCents - remainsCents,
    differs: differences.some((cents) => cents !== 0),
  }
}

function typedDifference(typed: string, expectedCents: number): number | null {
  const cents = parseCents(typed)
  return cents === undefined ? null : cents - expectedCents
}

export type DraftErrors = Readonly<Partial<Record<keyof CloseDraft, string>>>

/** Returns the error messages by field, in the order of the fields on the page; empty when staff can close the day. */
export function checkDraft(day: DayClose, draft: CloseDraft): DraftErrors {
  const figures = closeFigures(day, draft)
  const errors: Partial<Record<keyof CloseDraft, string>> = {}
  if (day.startCents === null && parseCents(draft.start) === undefined)
    errors.start = 'Please enter the cash that was in the drawer when the day began.'
  for (const name of ['terminal', 'check'] as const)
    if (draft[name] !== '' && parseCents(draft[name]) === undefined)
      errors[name] = 'Please enter an amount, for example 681.82.'
  if (figures.differs && draft.reason === '')
    errors.reason = `Please choose a reason for ${reasonedDifference(figures)}.`
  if (draft.reason === 'other' && draft.note.trim() === '')
    errors.note = 'Please explain the difference in the note.'
  if (draft.remains !== '' && parseCents(draft.remains) === undefined)
    errors.remains = 'Please enter an amount, for example 200.00.'
  else if (figures.bankCents < 0)
    errors.remains = `At most ${formatCents(figures.countedCents)}, the counted cash, can stay in the drawer.`
  return errors
}

/**
 * Returns a text such as '$4.00 short' for the first difference that is not zero: that of the cash, of the card
 * terminal or of the checks.
 */
function reasonedDifference(figures: CloseFigures): string {
  const { differenceCents, terminalDifferenceCents, checkDifferenceCents } = figures
  const cents = differenceCents || terminalDifferenceCents || checkDifferenceCents || 0
  return differenceText(cents, formatCents)
}

/** The input of the command that closes the day. */
export function closeInput(day: DayClose, draft: CloseDraft) {
  const figures = closeFigures(day, draft)
  return {
    date: day.day,
    startCents: day.startCents === null ? figures.startCents : null,
    counted: { ...parseCashCount(draft.counts) },
    seenExpectedCents: figures.expectedCents,
    terminalCents: parseCents(draft.terminal) ?? null,
    checkCents: parseCents(draft.check) ?? null,
    reason: figures.differs && draft.reason !== '' ? draft.reason : null,
    note: draft.note.trim() || null,
    remainsCents: figures.remainsCents,
  }
}
