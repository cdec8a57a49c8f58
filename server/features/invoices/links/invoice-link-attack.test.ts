import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPaymentApp, type PaymentApp } from '#tests/support/app/payment-app.ts'

let shop: PaymentApp
beforeAll(async () => {
  shop = await createPaymentApp()
})
afterAll(() => shop.close())

type Link = { readonly url: string; readonly typedUrl: string }
type Method = 'GET' | 'HEAD' | 'POST'

const lastPart = (url: string) => url.split('/').at(-1) ?? ''

/** Creates an invoice and returns its id, the token of its link and its short code. */
async function handOver(): Promise<readonly [id: string, token: string, code: string]> {
  const { id } = await shop.createInvoice()
  const { body } = await shop.post('/api/invoice/hand-over', { invoiceId: id })
  const { url, typedUrl } = body as unknown as Link
  return [id, lastPart(url), lastPart(typedUrl)]
}

/** Invalid link secrets of every kind that an attacker could try. */
async function wrongLinks(): Promise<Map<string, string>> {
  const [, token, code] = await handOver()
  const [renewedId, formerToken, formerCode] = await handOver()
  await shop.database.owner.query(
    `update internal.invoice_links set token_digest = sha256(convert_to('token ' || $1, 'UTF8')),
       code_digest = sha256(convert_to('code ' || $1, 'UTF8'))
     where invoice_id = $1`,
    [renewedId],
  )
  return new Map([
    ['an unknown token', randomBytes(16).toString('base64url')],
    ['an unknown code', 'K7MT-4RWX-9BQZ'],
    ['an unknown code without dashes', 'k7mt4rwx9bqz'],
    ['a code with a sign that no code has', 'K7MT-4RWX-9BQ0'],
    ['a token with another last sign', `${token.slice(0, -1)}${token.endsWith('A') ? 'Q' : 'A'}`],
    ['a code with two different signs exchanged', code.replace(/(\w)(?!\1)(\w)/u, '$2$1')],
    ['a token of before the link was renewed', formerToken],
    ['a code of before the link was renewed', formerCode],
    ['the start of a token', token.slice(0, 10)],
    ['a long text', 'A'.repeat(90)],
    ['the id of an invoice', renewedId],
  ])
}

const routes: readonly (readonly [Method, string])[] = [
  ['GET', ''],
  ['HEAD', ''],
  ['GET', '/invoice.pdf'],
  ['GET', '/pay'],
  ['POST', '/pay'],
]

it.each(routes)(
  '%s /i/<invalid secret>%s gets the same 404 response for every kind of invalid secret',
  async (method, rest) => {
    const answers = new Map<string, string>()
    for (const [name, secret] of await wrongLinks()) {
      const { statusCode, body, headers } = await shop.inject({
        method,
        url: `/i/${encodeURIComponent(secret)}${rest}`,
      })
      const { date: _date, 'x-request-id': _id, ...kept } = headers
      answers.set(name, JSON.stringify([statusCode, body, kept]))
    }
    expect(new Set(answers.values()).size).toBe(1)
    expect([...answers.values()][0]).toContain('[404,')
  },
)

it('A valid token and a valid code each open the invoice at the route /i/', async () => {
  const [, token, code] = await handOver()
  for (const secret of [token, code]) {
    expect((await shop.inject({ method: 'GET', url: `/i/${secret}` })).statusCode).toBe(200)
  }
})
