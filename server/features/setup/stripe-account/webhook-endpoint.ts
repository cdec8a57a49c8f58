import { isIP } from 'node:net'
import Stripe from 'stripe'
import { stripeWebhookEndpoint } from '#contracts/payments/stripe-webhook.ts'
import type { StripeAccount } from '#server/features/payments/provider/stripe-account.ts'
import { stripeFailure } from '#server/features/payments/stripe.ts'
import { subscribedEvents } from '#server/features/payments/webhook/subscribed-events.ts'

export const webhookUrlOf = (publicUrl: string): string =>
  `${publicUrl}${stripeWebhookEndpoint.path}`

/**
 * Whether Stripe can send events to the site. Stripe calls only https URLs, and never a local host name or a local
 * network address.
 */
export function canReceiveEvents(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl)
  const isOwnName = /(^|\.)(localhost|local|internal)$/.test(hostname)
  const isOwnAddress =
    hostname.startsWith('[') ||
    /^(10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(hostname)
  return (
    protocol === 'https:' && !isOwnName && !(isIP(hostname.replace(/[[\]]/g, '')) && isOwnAddress)
  )
}

/**
 * Creates the webhook endpoint to which Stripe sends events. Stripe returns the signing secret only in this response.
 */
export async function createWebhook(
  stripe: Stripe,
  publicUrl: string,
): Promise<StripeAccount['webhook']> {
  if (!canReceiveEvents(publicUrl)) return null
  const { id, url, secret } = await stripe.webhookEndpoints.create({
    url: webhookUrlOf(publicUrl),
    enabled_events: subscribedEvents,
    api_version: Stripe.API_VERSION,
    description: 'Payments of the shop’s website',
  })
  if (!secret) throw new Error('Stripe returned a webhook endpoint without its signing secret')
  return { id, url, secret }
}

/** Disables a webhook endpoint that the site no longer needs. Returns false when Stripe failed to disable it. */
export async function disableWebhook(
  stripe: Stripe,
  webhook: StripeAccount['webhook'],
): Promise<boolean> {
  if (!webhook) return true
  try {
    await stripe.webhookEndpoints.update(webhook.id, { disabled: true })
    return true
  } catch (error) {
    const failure = stripeFailure(error)
    if (!failure) throw error
    return failure === 'missing'
  }
}
