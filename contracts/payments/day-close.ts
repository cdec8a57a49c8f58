import * as z from 'zod/mini'
import { command } from '#contracts/commands/command.ts'

/** The reasons for a difference between counted and expected amounts. `other` requires a note. */
const closeReasons = [
  'wrong_change',
  'not_known',
  'other_method',
  'paid_out_without_slip',
  'other',
] as const
export type CloseReason = (typeof closeReasons)[number]

/** The number of counted bills and coins for each denomination in cents: `{ 2000: 9 }` means nine $20 bills. */
const cashCount = z.record(z.string(), z.int())

const correction = z.object({
  id: z.string(),
  /** The amount by which the correction raises the counted cash; negative when it lowers the counted cash. */
  amountCents: z.int(),
  reason: z.string(),
  recordedByName: z.string(),
  recordedAt: z.string(),
})

const finishedClose = z.object({
  id: z.string(),
  startCents: z.int(),
  counted: cashCount,
  countedCents: z.int(),
  expectedCents: z.int(),
  /** The total that the card terminal reported; null when staff entered no total. */
  terminalCents: z.nullable(z.int()),
  checkCents: z.nullable(z.int()),
  reason: z.nullable(z.enum(closeReasons)),
  note: z.nullable(z.string()),
  /** The cash that stays in the drawer for the start of the next day. */
  remainsCents: z.int(),
  closedByName: z.string(),
  closedAt: z.string(),
  corrections: z.array(correction),
})
export type FinishedClose = z.output<typeof finishedClose>

const methodSum = z.object({
  /** The sum of the day's payments by one method, minus the day's refunds and reversals by the same method. */
  cents: z.int(),
  payments: z.int(),
  refunds: z.int(),
})
export type MethodSum = z.output<typeof methodSum>

const cashMovement = z.object({
  id: z.string(),
  kind: z.enum(['paid_in', 'paid_out']),
  amountCents: z.int(),
  reason: z.string(),
  recordedByName: z.string(),
  recordedAt: z.string(),
})

/** A business day whose cash staff must count and close before any later day. */
export const unclosedDay = z.object({
  /** The shop date: yyyy-MM-dd. */
  day: z.string(),
  payments: z.int(),
  /** The cash received on the day minus the cash paid out; negative when more was paid out. */
  cashCents: z.int(),
})
export type UnclosedDay = z.output<typeof unclosedDay>

/** The result of the database function `read_day_close`. Amounts are in US cents. */
export const dayClose = z.object({
  day: z.string(),
  /** Today's date at the shop: yyyy-MM-dd. */
  today: z.string(),
  drawer: z.string(),
  /** Whether the day has payments or cash movements, so that staff have to close the day. */
  hasLines: z.boolean(),
  /** Whether a later day is closed, which makes it impossible to close this day. */
  isBeforeClosedDay: z.boolean(),
  /**
   * The cash that the previous close left in the drawer; null before the first close, for which staff enter this
   * amount.
   */
  startCents: z.nullable(z.int()),
  /**
   * `refundedCents` is negative when the failed cash refunds of the day exceed its cash refunds. `changeCents` is the
   * amount by which the cash in the drawer grew on the day.
   */
  cash: z.object({
    inCents: z.int(),
    refundedCents: z.int(),
    paidInCents: z.int(),
    paidOutCents: z.int(),
    changeCents: z.int(),
  }),
  methods: z.object({
    cash: methodSum,
    card_terminal: methodSum,
    card_online: methodSum,
    check: methodSum,
    other: methodSum,
  }),
  checks: z.array(
    z.object({ number: z.nullable(z.string()), customerName: z.nullable(z.string()) }),
  ),
  movements: z.array(cashMovement),
  /** The latest ledger line or movement of cash; `recordedByName` is null for a ledger line without a staff account. */
  latestCash: z.nullable(
    z.object({
      kind: z.enum(['payment', 'refund', 'reversal', 'paid_in', 'paid_out']),
      amountCents: z.int(),
      recordedByName: z.nullable(z.string()),
      recordedAt: z.string(),
    }),
  ),
  /** Earlier business days whose cash staff must count and close first, earliest first. */
  unclosedDays: z.array(unclosedDay),
  close: z.nullable(finishedClose),
  /** Whether the page of the day close shows the expected cash only after staff have counted the cash. */
  countsFirst: z.boolean(),
  /** The paper on which staff print a day close: a roll of 80 mm, or letter format. */
  printFormat: z.enum(['receipt', 'letter']),
})
export type DayClose = z.output<typeof dayClose>

const cents = z.int().check(z.gte(-10_000_000), z.lte(10_000_000))

/** The commands for the cash drawer. */
export const cashCommands = {
  /**
   * Closes a business day permanently. The server refuses the command when the expected cash is no longer the amount
   * that the page of the day close showed.
   */
  closeDay: command(
    'close-day',
    z.object({
      date: z.iso.date(),
      /**
       * The cash that was in the drawer when the day began. Staff enter this amount only for the first close; null for
       * all later closes.
       */
      startCents: z.nullable(cents),
      counted: cashCount,
      seenExpectedCents: z.int(),
      terminalCents: z.nullable(cents),
      checkCents: z.nullable(cents),
      reason: z.nullable(z.enum(closeReasons)),
      note: z.nullable(z.string()),
      remainsCents: cents,
    }),
    z.object({ closeId: z.uuid() }),
  ),
  correctClose: command(
    'correct-close',
    z.object({ closeId: z.uuid(), amountCents: cents, reason: z.string() }),
    z.object({ correctionId: z.uuid() }),
  ),
  recordMovement: command(
    'record-cash-movement',
    z.object({ kind: z.enum(['paid_in', 'paid_out']), amountCents: cents, reason: z.string() }),
    z.object({ movementId: z.uuid() }),
  ),
} as const
