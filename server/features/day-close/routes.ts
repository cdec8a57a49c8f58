import type { FastifyInstance } from 'fastify'
import { cashCommands } from '#contracts/payments/day-close.ts'
import { type CommandDependencies, commandRoute } from '#server/features/commands/run-command.ts'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import { closeDayCommand, correctCloseCommand, recordMovementCommand } from './cash-commands.ts'

/** Registers the commands for cash movements and the day close (docs/product.md 17.7). */
export function registerDayClose(app: FastifyInstance, dependencies: CommandDependencies): void {
  const { closeDay, correctClose, recordMovement } = cashCommands
  serve(app, closeDay).with(commandRoute(dependencies, closeDayCommand))
  serve(app, correctClose).with(commandRoute(dependencies, correctCloseCommand))
  serve(app, recordMovement).with(commandRoute(dependencies, recordMovementCommand))
}
