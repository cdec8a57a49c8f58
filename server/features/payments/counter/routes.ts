import type { FastifyInstance } from 'fastify'
import { counterCommands } from '#contracts/payments/counter-commands.ts'
import { type CommandDependencies, commandRoute } from '#server/features/commands/run-command.ts'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import type { PaymentContext } from '../payment-context.ts'
import { resumePaymentPages } from './close-payment-pages.ts'
import { takePaymentCommand } from './take-payment.ts'

/** The commands of the counter (docs/product.md 17.3). */
export function registerCounter(
  app: FastifyInstance,
  { context, ...dependencies }: CommandDependencies & { readonly context: PaymentContext },
): void {
  const route = commandRoute(dependencies, takePaymentCommand(context))
  serve(app, counterCommands.takePayment).with({
    ...route,
    // After a recorded payment too, so that the customer can pay the balance online.
    handle: async (body, info) => {
      try {
        return await route.handle(body, info)
      } finally {
        await resumePaymentPages(context, body.input.invoiceId)
      }
    },
  })
}
