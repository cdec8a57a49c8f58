import type { FastifyReply } from 'fastify'
import type { CurrentShop } from '#domain/shop/shop.ts'
import type { Call } from '../api/route.ts'

/** What the pages work with. */
export type PageDependencies = {
  /** Runs work in one transaction of the sandbox. */
  readonly inCall: <Result>(work: (call: Call) => Promise<Result>) => Promise<Result>
  readonly currentShop: CurrentShop
  readonly publicUrl: string
  readonly renderPdf: ((invoiceId: string) => Promise<Uint8Array>) | undefined
  /** Events may be waiting. */
  readonly onChange: () => void
}

/** Sends a page that nobody keeps, indexes or frames. `formTarget` is where its form may lead in the end. */
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
      // The address is the key to the page.
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    })
    .type('text/html; charset=utf-8')
    .send(page)
}
