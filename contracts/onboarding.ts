import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'

/** The setup steps of a new shop, in order (docs/product.md 11.9). */
const firstStep = z.enum([
  'shop',
  'hours',
  'bays',
  'services',
  'labor',
  'tax',
  'registration',
  'email',
  'payments',
  'password',
])
export type OnboardingStep = z.infer<typeof firstStep>

/** The setup steps that the owner can confirm without changing a setting. */
const confirmableStep = z.enum(['hours', 'bays', 'services', 'labor', 'tax'])
export type ConfirmableOnboardingStep = z.infer<typeof confirmableStep>

/**
 * The setup steps whose settings advisors can change too. Only owners can do the other steps (docs/product.md 11.9).
 */
export const sharedOnboardingSteps: readonly OnboardingStep[] = [
  'shop',
  'hours',
  'bays',
  'services',
]

export const onboarding = z.object({
  /** The setup steps; null when all steps are done or the owner hid them. */
  steps: z.nullable(z.array(z.object({ id: firstStep, isDone: z.boolean() }))),
  /** Whether the owner hid the setup steps. The server then does not compute the steps, and `steps` is null. */
  isHidden: z.boolean(),
  hasSampleWeek: z.boolean(),
  /**
   * Whether the owner can add the sample week (invented customers); false also when the server did not check, because
   * the setup steps are done or hidden.
   */
  canFillSampleWeek: z.boolean(),
  /** Whether a mail server is configured; without one, emails stay in the outbox. */
  canSendEmail: z.boolean(),
})
export type Onboarding = z.infer<typeof onboarding>

const response = z.extend(onboarding, { ok: z.literal(true) })

/** The endpoints of the shop's setup steps. Each call returns the state of the steps after the call. */
export const onboardingEndpoints = {
  read: { method: 'GET', path: '/api/onboarding', rights: 'admin', response },
  hide: {
    method: 'POST',
    path: '/api/onboarding/hide',
    rights: 'owner',
    request: z.object({ isHidden: z.boolean() }),
    response,
  },
  /**
   * Records that the owner or an advisor keeps the default settings of a step. The server refuses an advisor's request
   * for a step that only owners can do.
   */
  confirm: {
    method: 'POST',
    path: '/api/onboarding/confirm',
    rights: 'admin',
    request: z.object({ step: confirmableStep }),
    response,
  },
} satisfies Record<string, Endpoint>
