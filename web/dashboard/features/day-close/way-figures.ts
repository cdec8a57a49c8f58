import type { DayClose, FinishedClose } from '#contracts/payments/day-close.ts'
import { parseCents } from '#domain/money/money.ts'
import type { Way } from './close-texts.ts'
import type { CloseForm } from './use-close-form.ts'

type Figures = {
  /**
   * The sum, in cents, of the recorded payments. Undefined during a blind count, in which the page hides the sum until
   * staff have counted the cash.
   */
  readonly expected: number | undefined
  /** The amount, in cents, that staff counted or typed; undefined if they entered none. */
  readonly counted: number | undefined
}

/**
 * The expected and counted amounts of each payment method, and the totals of these amounts (`all`). The totals do not
 * contain the cash at the start of the day.
 */
export type WayFigures = Readonly<Record<Way | 'all', Figures>> & { readonly startCents: number }

type Counted = {
  readonly startCents: number
  readonly expectedCents: number
  /** The counted cash, in cents; undefined until staff have counted the drawer. */
  readonly countedCents: number | undefined
  readonly terminalCents: number | undefined
  readonly checkCents: number | undefined
}

function wayFigures({ methods }: DayClose, counts: Counted): WayFigures {
  const { startCents, expectedCents, countedCents, terminalCents, checkCents } = counts
  const online = methods.card_online.cents
  const rows = {
    cash: { expected: expectedCents, counted: countedCents },
    card_terminal: { expected: methods.card_terminal.cents, counted: terminalCents },
    // The payment provider itself reported the online card payments, so staff type no total for these payments.
    card_online: {
      expected: online,
      counted: methods.card_online.payments > 0 ? online : undefined,
    },
    check: { expected: methods.check.cents, counted: checkCents },
    other: { expected: methods.other.cents, counted: undefined },
  }
  const all = Object.values(rows)
  const sum = (amounts: readonly number[]) => amounts.reduce((total, cents) => total + cents, 0)
  return {
    ...rows,
    startCents,
    all: {
      expected: sum(all.map(({ expected }) => expected)) - startCents,
      // For a payment method without a typed total, the sum of the counted amounts contains the expected amount
      // instead.
      counted:
        countedCents === undefined
          ? undefined
          : sum(all.map(({ expected, counted }) => counted ?? expected)) - startCents,
    },
  }
}

/**
 * Returns the amounts of a day that is not closed. While the expected cash is hidden, the totals are hidden, too,
 * because the totals would reveal the expected cash.
 */
export function formFigures({ day, draft, figures, isRevealed }: CloseForm): WayFigures {
  const { startCents, expectedCents, countedCents, isCounted } = figures
  const shown = wayFigures(day, {
    startCents,
    expectedCents,
    countedCents: isCounted ? countedCents : undefined,
    terminalCents: parseCents(draft.terminal),
    checkCents: parseCents(draft.check),
  })
  if (isRevealed) return shown
  const hidden = { expected: undefined, counted: undefined }
  return { ...shown, cash: { ...shown.cash, expected: undefined }, all: hidden }
}

/** Returns the expected and counted amounts that were recorded when the day was closed. */
export function closedFigures(day: DayClose, close: FinishedClose): WayFigures {
  return wayFigures(day, {
    startCents: close.startCents,
    expectedCents: close.expectedCents,
    countedCents: close.countedCents,
    terminalCents: close.terminalCents ?? undefined,
    checkCents: close.checkCents ?? undefined,
  })
}
