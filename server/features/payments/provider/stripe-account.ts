import * as z from 'zod/mini'

/** The data of the Stripe account that an owner connected in the dashboard. The database stores the data encrypted. */
const stripeAccount = z.object({
  secretKey: z.string(),
  accountId: z.string(),
  accountName: z.string(),
  /** The webhook endpoint; null when Stripe cannot reach the site and therefore sends no events. */
  webhook: z.nullable(z.object({ id: z.string(), url: z.string(), secret: z.string() })),
})
export type StripeAccount = z.infer<typeof stripeAccount>

export const parseStripeAccount = (text: string): StripeAccount =>
  stripeAccount.parse(JSON.parse(text))
