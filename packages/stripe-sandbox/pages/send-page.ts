import type { FastifyReply } from 'fastify'
import type { CurrentAccount } from '../account.ts'
import type { Call } from '../api/route.ts'

/** The dependencies of the hosted pages. */
export type PageDependencies = {
  /** Runs work in one database transaction. */
  readonly inCall: <Result>(work: (call: Call) => Promise<Result>) => Promise<Result>
  readonly account: CurrentAccount
  readonly publicUrl: string
  readonly renderPdf: ((invoiceId: string) => Promise<Uint8Array>) | undefined
  /** The pages call this function after they have handled a form, because new events may then be due for delivery. */
  readonly onChange: () => void
}

/**
 * Sends a page that browsers do not cache, search engines do not index and other pages cannot embed in a frame.
 * `formTarget` is the URL to which the response to a submitted form may redirect.
 */
export function sendPage(
  reply: FastifyReply,
  status: number,
  page: string,
  formTarget?: string | null,
): FastifyReply {
  const target = formTarget ? ` ${new URL(formTarget).origin}` : ''
  return reply
    .code(status)
    .headers({
      'content-security-policy': `default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'${target}; base-uri 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      // Everyone who knows the secret in the URL can open the page, so the URL must not appear in Referer headers.
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    })
    .type('text/html; charset=utf-8')
    .send(page)
}
