import { apiErrors, type ErrorCode } from '#contracts/api/errors.ts'
import { databaseErrors } from '#contracts/database-errors.ts'
import { DataError } from '#web/lib/data/request-data.ts'

export type CommandProblem = { readonly title: string; readonly text: string }

/** The texts that an error message uses for a command. */
export type CommandName = {
  /** The subject of the message when no response arrived: 'The refund'. */
  readonly subject: string
  /** The title after the server refused the command: 'Nothing was refunded.' */
  readonly notDone: string
}

/** Returns the message about a failed command: why it failed, whether money moved, and what staff can do next. */
export function commandProblem(error: Error, { subject, notDone }: CommandName): CommandProblem {
  if (!(error instanceof DataError) || !isAnswered(error)) {
    return {
      title: `No response. ${subject} may or may not have been recorded.`,
      text: 'Your entries are kept. Press the button again: nothing is recorded twice.',
    }
  }
  if (error.code === 'PAID_ONLINE') {
    return {
      title: 'The customer has just paid online.',
      text: 'Nothing was changed. The payment appears on this page.',
    }
  }
  return { title: notDone, text: `${reasonOf(error)} No money moved.` }
}

/**
 * The error codes that leave open whether the server has run the command. A lost response and a response from a proxy
 * leave this open, too.
 */
const failures: readonly string[] = ['UNAVAILABLE', 'INTERNAL_ERROR', 'BUSY'] satisfies ErrorCode[]

const isAnswered = ({ code }: DataError) =>
  /^[0-9A-Z]{5}$/.test(code) || (code in apiErrors && !failures.includes(code))

/**
 * The messages for commands that the database refused, by the hint in its error (contracts/payments/ledger-errors.ts).
 */
const refusals: Readonly<Record<string, string>> = {
  above_asked: 'The amount is above the requested deposit.',
  above_balance: 'The amount is above the balance.',
  above_left: 'The amount is more than the part of this payment that can still be refunded.',
  above_total: 'The amount is above the remaining total of the invoice.',
  already_reported:
    'The payment provider has a lower amount for this payment. Cancel the invoice and create it again.',
  already_invoiced:
    'The invoice of the estimate was created in the meantime. Correct the deposit on the invoice.',
  deposit_stays: 'A deposit pays the invoice of its estimate. It cannot move to another invoice.',
  has_balance: 'The invoice has a balance. Only a paid invoice can be refunded.',
  invoice_void: 'The invoice is void.',
  never_paid: 'The invoice was never paid. Void it instead.',
  not_correctable:
    'A part of this payment was refunded, or the invoice was closed, so the payment cannot be corrected.',
  not_outstanding: 'This invoice has no outstanding balance.',
  parts_changed: 'The refundable amount of a chosen job or line has changed. Choose again.',
  was_paid: 'This invoice got a payment in the meantime. Cancel this invoice instead.',
}

function reasonOf({ code, message, hint }: DataError): string {
  if (code === '23514')
    return 'One of the texts looks like a card number, or has characters that are not allowed. Change that text.'
  const known: Readonly<Record<string, { message: string }>> = databaseErrors
  return refusals[hint ?? ''] ?? known[code]?.message ?? message
}
