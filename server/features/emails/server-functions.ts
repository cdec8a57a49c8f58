import { counterRoles } from '#contracts/staff-accounts.ts'
import type { ServerFunctions } from '#contracts/api/server-functions.ts'
import type { CurrentShop } from '#domain/shop/shop.ts'
import type { ServerFunction } from '@local/data-service'
import type { Database, Identity } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import type { FunctionCaller } from '#supabase/functions/_shared/function-caller.ts'
import { createHandler as createConfirmation } from '#supabase/functions/send-confirmation-email/handler.ts'
import { createHandler as createQuoteEmail } from '#supabase/functions/send-quote-email/handler.ts'
import { isDelivered } from '#emails/delivery/deliver-email.ts'
import { createConfirmationRecords } from './confirmation-records.ts'
import { findVisitPageUrl } from '#server/features/visit-page/find-visit-page-url.ts'
import type { Mailer } from './transport/mailer.ts'
import { queueVisitorEmail } from './outbox/queue-visitor-email.ts'
import { createQuoteReplies } from '#server/features/quotes/quote-replies.ts'

/**
 * Creates the Edge Functions of `supabase/functions` for this server, with the database and the mailer of this
 * process.
 */
export function createServerFunctions(dependencies: {
  readonly database: Database
  readonly currentShop: CurrentShop
  readonly mailer: Mailer
  /** Whether the limits on visitor-triggered emails apply. */
  readonly isCapped: boolean
  /** The public URL of the site, for links in emails. */
  readonly publicUrl: string
}): Readonly<Record<keyof ServerFunctions, ServerFunction>> {
  const { database, currentShop, mailer, isCapped, publicUrl } = dependencies
  const readShop = async () => currentShop()
  return {
    'send-confirmation-email': forCaller(
      createConfirmation({
        ...createConfirmationRecords(database),
        readShop,
        visitUrl: (bookingId) =>
          database.transaction(asServer, (query) => findVisitPageUrl(query, bookingId, publicUrl)),
        send: async (email) => {
          const id = await database.transaction(asServer, (query) =>
            queueVisitorEmail(query, email, { isCapped }),
          )
          return id !== undefined && isDelivered(await mailer.deliver(id))
        },
      }),
    ),
    'send-quote-email': forCaller(
      createQuoteEmail({ ...createQuoteReplies(database, mailer), readShop }),
    ),
  }
}

type Handler = (request: Request, caller: FunctionCaller) => Promise<Response>

function forCaller(handle: Handler): ServerFunction {
  return (request, identity) => handle(request, callerOf(identity))
}

function callerOf({ role, headers = {} }: Identity): FunctionCaller {
  return { role, isAdmin: counterRoles.includes(role), sender: headers }
}
