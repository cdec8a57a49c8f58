import type { FastifyInstance } from 'fastify'
import { cashCommands } from '#contracts/payments/day-close.ts'
import { type CommandDependencies, commandRoute } from '#server/features/commands/run-command.ts'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import { closeDayCommand, correctCloseCommand, recordMovementCommand } from './cash-commands.ts'

/** The commands of the cash drawer and of the close of a day (docs/product.md 17.7). */
export function registerDayClose(app: FastifyInstance, dependencies: CommandDependencies): void {
  const { closeDay, correctClose, recordMovement } = cashCommands
  serve(app, closeDay).with(commandRoute(dependencies, closeDayCommand))
  serve(app, correctClose).with(commandRoute(dependencies, correctCloseCommand))
  serve(app, recordMovement).with(commandRoute(dependencies, recordMovementCommand))
}
