import type { FastifyInstance } from 'fastify'
import { replyToQuoteCommand as endpoint } from '#contracts/reply-to-quote.ts'
import type { CurrentShop } from '#domain/shop/shop.ts'
import { refused } from '#domain/result.ts'
import { isDelivered } from '#emails/delivery/deliver-email.ts'
import { type CommandDependencies, commandRoute } from '#server/features/commands/run-command.ts'
import type { Mailer } from '#server/features/emails/transport/mailer.ts'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import { replyToQuoteCommand } from './reply-to-quote.ts'

type Dependencies = CommandDependencies & {
  readonly currentShop: CurrentShop
  readonly mailer: Mailer
}

/**
 * Registers the command that replies to a quote request. The response is sent only after the mail server has accepted
 * or refused the reply email.
 */
export function registerQuoteCommands(app: FastifyInstance, dependencies: Dependencies): void {
  const { currentShop, mailer } = dependencies
  const route = commandRoute(dependencies, replyToQuoteCommand(currentShop))
  serve(app, endpoint).with({
    ...route,
    async handle(body, call) {
      const done = await route.handle(body, call)
      if (!done.ok) return done
      const status = await mailer.deliver(done.value.result.emailId)
      return isDelivered(status) ? done : refused({ code: 'REPLY_NOT_SENT' })
    },
  })
}
