import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Account } from '../account.ts'
import type { Call } from '../api/route.ts'
import type { WireInvoice } from '../objects/wire.ts'
import { payInvoiceByCard } from '../payments/pay-invoice.ts'
import { type CardErrors, checkCard, readCardInput, type CardInput } from './card-form.ts'
import { checkoutPage } from './checkout-page.ts'
import { invoicePage, isPayable } from './invoice-page.ts'
import { messagePage } from './layout.ts'
import { type PageDependencies, sendPage } from './send-page.ts'

type Params = { Params: { token: string } }

/**
 * Serves three URLs of an invoice: the hosted page, the PDF and the card form. Each URL contains a secret of 48
 * characters.
 */
export function serveInvoice(
  app: FastifyInstance,
  { inCall, account, onChange, renderPdf }: PageDependencies,
): void {
  const sendUnknown = (reply: FastifyReply) => sendUnknownInvoice(reply, account())
  app.get<Params>('/sandbox/invoice/:token', async ({ params }, reply) => {
    const invoice = await inCall((call) => findInvoice(call, params.token))
    if (!invoice) return sendUnknown(reply)
    return sendPage(
      reply,
      200,
      invoicePage(account(), invoice, pathOf(params.token), renderPdf !== undefined),
    )
  })

  app.get<Params>('/sandbox/invoice/:token/pdf', async ({ params }, reply) => {
    const invoice = await inCall((call) => findInvoice(call, params.token))
    if (!invoice || !renderPdf) return sendUnknown(reply)
    return reply
      .headers({
        'cache-control': 'no-store',
        'content-disposition': `inline; filename="${pdfFileName(invoice)}"`,
      })
      .type('application/pdf')
      .send(Buffer.from(await renderPdf(invoice.id)))
  })

  app.get<Params>('/sandbox/invoice/:token/pay', async ({ params }, reply) => {
    const invoice = await inCall((call) => findInvoice(call, params.token))
    if (!invoice) return sendUnknown(reply)
    if (!isPayable(invoice)) return reply.redirect(pathOf(params.token), 303)
    return sendForm(
      reply,
      account(),
      invoice,
      params.token,
      readCardInput(new URLSearchParams(), invoice.customer_email),
    )
  })

  app.post<Params & { Body: URLSearchParams }>(
    '/sandbox/invoice/:token/pay',
    async ({ params, body }, reply) => {
      const { token } = params
      const result = await inCall(async (call) => {
        const found = await findInvoice(call, token)
        if (!found) return undefined
        const invoice = await call.store.lock('invoice', found.id)
        if (!isPayable(invoice)) return { invoice }
        const input = readCardInput(body, invoice.customer_email)
        const checked = checkCard(input, call.now)
        if (checked.errors) return { invoice, input, errors: checked.errors }
        return { input, ...(await payInvoiceByCard(call, invoice, checked.use)) }
      })
      onChange()
      if (!result) return sendUnknown(reply)
      const { invoice } = result
      if ('errors' in result && result.errors)
        return sendForm(reply, account(), invoice, token, result.input, result.errors)
      if ('charge' in result && result.decline)
        return sendForm(reply, account(), invoice, token, result.input, {}, result.decline.message)
      return reply.redirect(pathOf(token), 303)
    },
  )
}

/** Returns a file name such as 'INV-0007.pdf', without characters that need escaping in an HTTP header. */
function pdfFileName({ number }: WireInvoice): string {
  return `${(number || 'invoice').replaceAll(/[^\w-]/g, '')}.pdf`
}

const pathOf = (token: string) => `/sandbox/invoice/${token}`

async function findInvoice({ store }: Call, token: string): Promise<WireInvoice | undefined> {
  const [invoice] = await store.all('invoice', { hosted_invoice_url: pathOf(token) })
  return invoice
}

function sendForm(
  reply: FastifyReply,
  account: Account,
  invoice: WireInvoice,
  token: string,
  input: CardInput,
  errors: CardErrors = {},
  declineMessage?: string,
): FastifyReply {
  const description = `Invoice ${invoice.number ?? ''}`
  const page = checkoutPage(account, {
    title: `Pay invoice ${invoice.number ?? ''}`,
    action: `${pathOf(token)}/pay`,
    cancelUrl: pathOf(token),
    amountCents: invoice.amount_remaining,
    currency: invoice.currency,
    lines: [{ description, quantity: 1, amountCents: invoice.amount_remaining }],
    input,
    fixedEmail: invoice.customer_email !== null,
    errors,
    declineMessage,
  })
  return sendPage(reply, 200, page)
}

function sendUnknownInvoice(reply: FastifyReply, account: Account): FastifyReply {
  return sendPage(
    reply,
    404,
    messagePage(account, 'Page not found', 'This invoice does not exist.'),
  )
}
