import Stripe from 'stripe'

/** Explains to the owner why Stripe did not accept a key. Throws every error that the Stripe SDK did not create. */
export function explainStripeFailure(error: unknown): string {
  const { errors } = Stripe
  if (!(error instanceof errors.StripeError)) throw error
  if (error instanceof errors.StripeAuthenticationError) {
    return 'Stripe does not know this key. It may have been replaced or deleted. Copy the current key in Stripe under Developers, API keys.'
  }
  if (error instanceof errors.StripePermissionError) {
    return 'This restricted key lacks a right that the site needs. Use the secret key, or change the restricted key in Stripe. It needs write access to customers, invoices, checkout sessions, payment intents, charges and refunds, credit notes, payment records and webhook endpoints. It also needs read access to the account and to disputes.'
  }
  if (error instanceof errors.StripeConnectionError) {
    return 'Stripe could not be reached. Check the internet connection of the server, and try again.'
  }
  if (error instanceof errors.StripeInvalidRequestError && error.param === 'url') {
    return 'Stripe does not accept the webhook address of this site. Check PUBLIC_URL.'
  }
  return 'Stripe answered with an error. Wait a minute and try again.'
}
