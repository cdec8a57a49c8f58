import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Account } from '../account.ts'
import type { WireSession } from '../objects/wire.ts'
import { expireDueSessions } from '../payments/expire-sessions.ts'
import { paySession } from '../payments/pay-session.ts'
import { type CardErrors, checkCard, readCardInput, type CardInput } from './card-form.ts'
import { checkoutPage } from './checkout-page.ts'
import { messagePage } from './layout.ts'
import { type PageDependencies, sendPage } from './send-page.ts'

type Params = { Params: { id: string } }

/** Serves the hosted checkout: the card form of an open Checkout Session, otherwise a redirect or a message. */
export function serveCheckout(
  app: FastifyInstance,
  { inCall, account, onChange }: PageDependencies,
): void {
  app.get<Params>('/sandbox/checkout/:id', async ({ params }, reply) => {
    const session = await inCall(async (call) => {
      await expireDueSessions(call)
      return call.store.find('checkout.session', params.id)
    })
    if (session?.status !== 'open') return sendClosed(reply, account(), session)
    const email = customerEmail(session)
    return sendForm(
      reply,
      account(),
      session,
      readCardInput(new URLSearchParams({ email: session.customer_email ?? '' }), email),
    )
  })

  app.post<Params & { Body: URLSearchParams }>(
    '/sandbox/checkout/:id',
    async ({ params, body }, reply) => {
      const session = await inCall((call) => call.store.find('checkout.session', params.id))
      if (session?.status !== 'open') return sendClosed(reply, account(), session)
      const input = readCardInput(body, customerEmail(session))
      const paid = await inCall(async (call) => {
        const checked = checkCard(input, call.now)
        return checked.errors ?? paySession(call, session.id, checked.use)
      })
      onChange()
      if (!('status' in paid)) return sendForm(reply, account(), session, input, paid)
      if (paid.status === 'declined')
        return sendForm(reply, account(), session, input, {}, paid.decline.message)
      return sendClosed(reply, account(), paid.session)
    },
  )
}

/** Returns the email address of a known customer; the payer cannot change this address in the card form. */
function customerEmail(session: WireSession): string | null {
  return session.customer === null ? null : (session.customer_details?.email ?? null)
}

/**
 * Sends the card form. The status is 200 even when the form has errors, because browsers log error statuses in their
 * console.
 */
function sendForm(
  reply: FastifyReply,
  account: Account,
  session: WireSession,
  input: CardInput,
  errors: CardErrors = {},
  declineMessage?: string,
): FastifyReply {
  const items = session.line_items?.data ?? []
  const page = checkoutPage(account, {
    title: 'Pay',
    action: `/sandbox/checkout/${session.id}`,
    cancelUrl: session.cancel_url,
    amountCents: session.amount_total ?? 0,
    currency: session.currency ?? 'usd',
    lines: items.map((item) => ({
      description: item.description ?? '',
      quantity: item.quantity ?? 1,
      amountCents: item.amount_total,
    })),
    input,
    fixedEmail: customerEmail(session) !== null,
    errors,
    declineMessage,
  })
  return sendPage(reply, 200, page, session.success_url)
}

/**
 * Responds to a request for a Checkout Session that is not open. Redirects to the success URL of a paid session;
 * returns status 410 for an expired session and 404 for an unknown session.
 */
function sendClosed(
  reply: FastifyReply,
  account: Account,
  session: WireSession | undefined,
): FastifyReply {
  if (session?.status === 'complete' && session.success_url !== null) {
    const address = session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id)
    return reply
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .redirect(address, 303)
  }
  if (session?.status === 'expired') {
    const back =
      session.cancel_url === null
        ? undefined
        : { href: session.cancel_url, label: 'Back to the shop' }
    return sendPage(
      reply,
      410,
      messagePage(
        account,
        'This checkout has expired',
        'Nothing was charged. Please start again from the shop.',
        back,
      ),
    )
  }
  return sendPage(
    reply,
    404,
    messagePage(
      account,
      'Page not found',
      'This checkout does not exist. Please start again from the shop.',
    ),
  )
}
