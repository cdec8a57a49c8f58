import type { Database } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { noProvider, type PaymentProvider, type StripeHttpClient } from './payment-provider.ts'

/** Matches ids in Stripe's format in the path or the form data of a request. */
const stripeId = /\b[a-z]{2,12}_[A-Za-z0-9_]{8,100}\b/g

/**
 * Passes each request that names an object of the sandbox to the sandbox, and all other requests to `provider`. After
 * the shop connected a Stripe account, staff can therefore still read and void test invoices. Requests to open a
 * payment page for an object of the sandbox are refused.
 */
export function withSandboxObjects(
  provider: PaymentProvider,
  database: Database,
  sandbox: () => PaymentProvider,
): PaymentProvider {
  const chooseFor = async (method: string, path: string, form: string) => {
    if (!(await namesSandboxObject(database, `${path} ${form}`))) return provider
    const opensPage = method === 'POST' && path === '/v1/checkout/sessions'
    return opensPage ? noProvider : sandbox()
  }
  const http: StripeHttpClient = {
    getClientName: () => provider.http.getClientName(),
    async makeRequest(host, port, path, method, headers, form, ...rest) {
      const { http: chosen, secretKey } = await chooseFor(method, path, form)
      const signed = { ...headers, Authorization: `Bearer ${secretKey}` }
      return chosen.makeRequest(host, port, path, method, signed, form, ...rest)
    },
  }
  return { ...provider, http }
}

async function namesSandboxObject(database: Database, request: string): Promise<boolean> {
  const ids = [...new Set(decodeURIComponent(request.replaceAll('+', ' ')).match(stripeId))]
  if (ids.length === 0) return false
  const rows = await database.transaction(asServer, (query) =>
    query('select from stripe_sandbox.objects where id = any($1::text[]) limit 1', [ids]),
  )
  return rows.length > 0
}
