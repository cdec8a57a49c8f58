import type { FastifyInstance } from 'fastify'
import { counterCommands } from '#contracts/payments/counter-commands.ts'
import { depositCommands } from '#contracts/payments/deposits.ts'
import { invoiceCommands } from '#contracts/payments/invoice-commands.ts'
import { type CommandDependencies, commandRoute } from '#server/features/commands/run-command.ts'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import {
  cancelCommand,
  correctPaymentCommand,
  correctPriceCommand,
  refundCommand,
  retryRefundCommand,
  returnCheckCommand,
  voidCommand,
  writeOffCommand,
} from '../corrections/correction-commands.ts'
import {
  correctDepositCommand,
  refundDepositCommand,
  returnDepositCheckCommand,
  takeDepositCommand,
} from '../deposits/deposit-commands.ts'
import { remindOfDepositCommand } from '../deposits/remind-of-deposit.ts'
import type { PaymentContext } from '../payment-context.ts'
import { resumePaymentPages } from './close-payment-pages.ts'
import { sendLinkCommand } from './send-link.ts'
import { takePaymentCommand } from './take-payment.ts'

type Dependencies = CommandDependencies & { readonly context: PaymentContext }

/**
 * Registers the commands with which staff take payments and deposits at the counter and correct invoices
 * (docs/product.md 17.3, 17.5, 17.12).
 */
export function registerCounter(
  app: FastifyInstance,
  { context, ...dependencies }: Dependencies,
): void {
  const { correctPrice, refund, void: makeVoid, cancel, correctPayment, writeOff } = invoiceCommands
  const { returnCheck, retryRefund } = invoiceCommands
  const taken = commandRoute(dependencies, takePaymentCommand(context))
  const corrected = commandRoute(dependencies, correctPriceCommand(context))
  const replaced = commandRoute(dependencies, correctPaymentCommand(context))
  const voided = commandRoute(dependencies, voidCommand(context))
  const cancelled = commandRoute(dependencies, cancelCommand(context))
  serve(app, counterCommands.takePayment).with({
    ...taken,
    handle: resuming(context, taken.handle),
  })
  serve(app, correctPrice).with({ ...corrected, handle: resuming(context, corrected.handle) })
  serve(app, counterCommands.sendLink).with(commandRoute(dependencies, sendLinkCommand(context)))
  serve(app, makeVoid).with({ ...voided, handle: resuming(context, voided.handle) })
  serve(app, cancel).with({ ...cancelled, handle: resuming(context, cancelled.handle) })
  serve(app, refund).with(commandRoute(dependencies, refundCommand(context)))
  serve(app, correctPayment).with({ ...replaced, handle: resuming(context, replaced.handle) })
  serve(app, returnCheck).with(commandRoute(dependencies, returnCheckCommand))
  serve(app, retryRefund).with(commandRoute(dependencies, retryRefundCommand))
  serve(app, writeOff).with(commandRoute(dependencies, writeOffCommand))
  serve(app, depositCommands.take).with(commandRoute(dependencies, takeDepositCommand(context)))
  serve(app, depositCommands.refund).with(commandRoute(dependencies, refundDepositCommand(context)))
  serve(app, depositCommands.remind).with(
    commandRoute(dependencies, remindOfDepositCommand(context)),
  )
  serve(app, depositCommands.correct).with(commandRoute(dependencies, correctDepositCommand))
  serve(app, depositCommands.returnCheck).with(
    commandRoute(dependencies, returnDepositCheckCommand),
  )
}

/**
 * Runs a command that closes the payment pages of an invoice. Permits new payment pages for the invoice after the
 * command, even if the command failed.
 */
function resuming<Body extends { readonly input: { readonly invoiceId: string } }, Info, Response>(
  context: PaymentContext,
  handle: (body: Body, info: Info) => Promise<Response>,
): (body: Body, info: Info) => Promise<Response> {
  return async (body, info) => {
    try {
      return await handle(body, info)
    } finally {
      await resumePaymentPages(context, body.input.invoiceId)
    }
  }
}
