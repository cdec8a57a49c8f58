import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Shop } from '#domain/shop/shop.ts'
import type { WireSession } from '../objects/wire.ts'
import { expireDueSessions } from '../payments/expire-sessions.ts'
import { paySession } from '../payments/pay-session.ts'
import { type CardErrors, checkCard, readCardInput, type CardInput } from './card-form.ts'
import { checkoutPage } from './checkout-page.ts'
import { messagePage } from './layout.ts'
import { type PageDependencies, sendPage } from './send-page.ts'

type Params = { Params: { id: string } }

/** The hosted checkout of a session: its card form, its end, and what is said when it is over. */
export function serveCheckout(
  app: FastifyInstance,
  { inCall, currentShop, onChange }: PageDependencies,
): void {
  app.get<Params>('/sandbox/checkout/:id', async ({ params }, reply) => {
    const session = await inCall(async (call) => {
      await expireDueSessions(call)
      return call.store.find('checkout.session', params.id)
    })
    if (session?.status !== 'open') return closed(reply, currentShop(), session)
    const email = customerEmail(session)
    return form(
      reply,
      currentShop(),
      session,
      readCardInput(new URLSearchParams({ email: session.customer_email ?? '' }), email),
    )
  })

  app.post<Params & { Body: URLSearchParams }>(
    '/sandbox/checkout/:id',
    async ({ params, body }, reply) => {
      const session = await inCall((call) => call.store.find('checkout.session', params.id))
      if (session?.status !== 'open') return closed(reply, currentShop(), session)
      const input = readCardInput(body, customerEmail(session))
      const paid = await inCall(async (call) => {
        const checked = checkCard(input, call.now)
        return checked.errors ?? paySession(call, session.id, checked.use)
      })
      onChange()
      if (!('status' in paid)) return form(reply, currentShop(), session, input, paid)
      if (paid.status === 'declined')
        return form(reply, currentShop(), session, input, {}, paid.decline.message)
      return closed(reply, currentShop(), paid.session)
    },
  )
}

/** The customer's address is theirs to change with the shop, not here. */
function customerEmail(session: WireSession): string | null {
  return session.customer === null ? null : (session.customer_details?.email ?? null)
}

/** The card form, also with complaints: to show a form again is nothing a browser should report. */
function form(
  reply: FastifyReply,
  shop: Shop,
  session: WireSession,
  input: CardInput,
  errors: CardErrors = {},
  refusal?: string,
): FastifyReply {
  const items = session.line_items?.data ?? []
  const page = checkoutPage(shop, {
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
    refusal,
  })
  return sendPage(reply, 200, page, session.success_url)
}

/** Paid leads to the shop's success page, however late somebody submits again. */
function closed(reply: FastifyReply, shop: Shop, session: WireSession | undefined): FastifyReply {
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
        shop,
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
      shop,
      'Page not found',
      'This checkout does not exist. Please start again from the shop.',
    ),
  )
}
