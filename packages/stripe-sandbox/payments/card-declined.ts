import { ApiError } from '../api/api-error.ts'
import type { WireCharge } from '../objects/wire.ts'
import type { Decline } from './test-cards.ts'

/**
 * Returns the error for an API request whose card is declined, with status 402. The database keeps the failed charge.
 */
export function cardDeclined(
  { code, declineCode, message }: Decline,
  charge: WireCharge,
): ApiError {
  const detail = declineCode === undefined ? {} : { decline_code: declineCode }
  return new ApiError(
    402,
    { type: 'card_error', code, ...detail, message, charge: charge.id },
    true,
  )
}
