import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'

/** What makes a fresh shop the owner's, in order (docs/product.md 11.9). */
const firstStep = z.enum(['shop', 'hours', 'services', 'email', 'payments', 'password'])
export type OnboardingStep = z.infer<typeof firstStep>

/** A step that may be done without having changed anything. */
const confirmableStep = z.enum(['hours', 'services'])
export type ConfirmableOnboardingStep = z.infer<typeof confirmableStep>

export const onboarding = z.object({
  /** Null once all were done. */
  steps: z.nullable(z.array(z.object({ id: firstStep, isDone: z.boolean() }))),
  /** Whether the owner does not want to see the steps; then they are not looked up, and are null too. */
  isHidden: z.boolean(),
  hasSampleWeek: z.boolean(),
  /** Whether a sample week can be filled in; false where it was not looked up. */
  canFillSampleWeek: z.boolean(),
  /** Whether a mail server is set: else letters are written and stay in the outbox. */
  canSendEmail: z.boolean(),
})
export type Onboarding = z.infer<typeof onboarding>

const response = z.extend(onboarding, { ok: z.literal(true) })

/** How far the owner has made the shop their own. Each answers as it is then. */
export const onboardingEndpoints = {
  read: { method: 'GET', path: '/api/onboarding', caller: 'admin', response },
  hide: {
    method: 'POST',
    path: '/api/onboarding/hide',
    caller: 'admin',
    request: z.object({ isHidden: z.boolean() }),
    response,
  },
  /** The owner found right what a fresh shop has. */
  confirm: {
    method: 'POST',
    path: '/api/onboarding/confirm',
    caller: 'admin',
    request: z.object({ step: confirmableStep }),
    response,
  },
} satisfies Record<string, Endpoint>
