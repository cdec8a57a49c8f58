import type { ShopKeys } from '#server/platform/keys/open-keys.ts'

/** The signing keys of every test app, so that a test can create tokens of its own. */
export const testKeys: ShopKeys = {
  accessTokens: 'the-key-of-access-tokens-in-tests',
  refreshTokens: 'the-key-of-refresh-tokens-in-tests',
  invoiceLinks: 'the-key-of-links-to-invoices-in-tests',
  clientAddresses: 'the-key-of-client-addresses-in-tests',
  sandboxWebhooks: 'the-key-of-sandbox-webhooks-in-tests',
}

/** The key that signs the links in emails. Every test database has this key. */
export const testLinkKey = 'the-key-of-mailed-links-in-tests-is-known'
