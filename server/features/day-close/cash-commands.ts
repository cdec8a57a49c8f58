import { cashCommands } from '#contracts/payments/day-close.ts'
import { accepted } from '#domain/result.ts'
import { rowsAs } from '@local/postgres'
import { defineCommand } from '#server/features/commands/run-command.ts'

/** Returns the id of the record that a database function for the cash drawer created. */
function idOf(rows: Parameters<typeof rowsAs<{ id: string }>>[0]): string {
  const [row] = rowsAs<{ id: string }>(rows)
  if (!row) throw new Error('A database function for the cash drawer returned no row')
  return row.id
}

/**
 * Closes a business day permanently. The database computes the expected cash, and refuses the close if this amount
 * differs from the amount that the dashboard displayed.
 */
export const closeDayCommand = defineCommand(cashCommands.closeDay, {
  asStaff: async (query, close) =>
    accepted(idOf(await query('select public.close_day($1) as id', [close]))),
  asServer: async (_query, _input, closeId) => accepted({ closeId }),
})

/** Adds a correction to the close of a business day. */
export const correctCloseCommand = defineCommand(cashCommands.correctClose, {
  asStaff: async (query, { closeId, amountCents, reason }) =>
    accepted(
      idOf(
        await query('select public.correct_close($1, $2, $3) as id', [
          closeId,
          amountCents,
          reason,
        ]),
      ),
    ),
  asServer: async (_query, _input, correctionId) => accepted({ correctionId }),
})

/** Records cash that staff put into or took out of the cash drawer without a payment or refund of a customer. */
export const recordMovementCommand = defineCommand(cashCommands.recordMovement, {
  asStaff: async (query, { kind, amountCents, reason }) =>
    accepted(
      idOf(
        await query('select public.record_cash_movement($1, $2, $3) as id', [
          kind,
          amountCents,
          reason,
        ]),
      ),
    ),
  asServer: async (_query, _input, movementId) => accepted({ movementId }),
})
