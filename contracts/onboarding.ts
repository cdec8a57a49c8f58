import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'

/** The setup steps of a new shop, in order (docs/product.md 11.9). */
const firstStep = z.enum(['shop', 'hours', 'services', 'email', 'payments', 'password'])
export type OnboardingStep = z.infer<typeof firstStep>

/** Steps that the owner can confirm without a change. */
const confirmableStep = z.enum(['hours', 'services'])
export type ConfirmableOnboardingStep = z.infer<typeof confirmableStep>

export const onboarding = z.object({
  /** Null once all steps are done. */
  steps: z.nullable(z.array(z.object({ id: firstStep, isDone: z.boolean() }))),
  /** Whether the owner hid the steps. They are not computed then, and `steps` is null too. */
  isHidden: z.boolean(),
  hasSampleWeek: z.boolean(),
  /** Whether the sample week can be filled in; false when this was not checked. */
  canFillSampleWeek: z.boolean(),
  /** Whether a mail server is configured; without one, emails stay in the outbox. */
  canSendEmail: z.boolean(),
})
export type Onboarding = z.infer<typeof onboarding>

const response = z.extend(onboarding, { ok: z.literal(true) })

/** The progress of the shop's setup. Each call returns the current state. */
export const onboardingEndpoints = {
  read: { method: 'GET', path: '/api/onboarding', caller: 'admin', response },
  hide: {
    method: 'POST',
    path: '/api/onboarding/hide',
    caller: 'admin',
    request: z.object({ isHidden: z.boolean() }),
    response,
  },
  /** The owner confirms that the default values of a step are right. */
  confirm: {
    method: 'POST',
    path: '/api/onboarding/confirm',
    caller: 'admin',
    request: z.object({ step: confirmableStep }),
    response,
  },
} satisfies Record<string, Endpoint>
