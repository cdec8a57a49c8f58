import { setupEndpoints } from '#contracts/setup.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'
import { useSecretChange } from '../kit/use-secret-change.ts'

/** Connects or removes the Stripe account of the shop. */
export function useStripeAccountChange(onSaved: () => void) {
  return useSecretChange({
    save: async (input: { secretKey: string }) =>
      orThrow(await callAsAdmin(setupEndpoints.saveStripeAccount, input)),
    remove: async () => orThrow(await callAsAdmin(setupEndpoints.removeStripeAccount)),
    onSaved({ accountName, isTestKey }) {
      onSaved()
      const kind = isTestKey ? 'test' : 'live'
      return { title: 'Connected', description: `${accountName}, with a ${kind} key.` }
    },
    onRemoved: ({ isWebhookDisabled }) => ({
      title: 'Removed',
      description: isWebhookDisabled
        ? 'The Stripe account is disconnected, and its webhook is disabled.'
        : 'The Stripe account is disconnected. Disable its webhook in Stripe, which could not be reached.',
    }),
    actions: {
      save: 'change the Stripe account of the shop',
      remove: 'remove the Stripe account of the shop',
    },
  })
}
