import { apiErrors } from '#contracts/api/errors.ts'
import { refused } from '#domain/result.ts'
import type { Shop } from '#domain/shop/shop.ts'

/** The refusal that a customer receives while the shop accepts no online payments. */
export function refuseOnlinePayment({ phone }: Shop) {
  const { message } = apiErrors.PAYMENTS_NOT_SET_UP
  return refused({
    code: 'PAYMENTS_NOT_SET_UP',
    message: `${message} Please pay at the shop, or call us at ${phone.display}.`,
  } as const)
}
