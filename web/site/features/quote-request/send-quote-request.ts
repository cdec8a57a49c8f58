import type { ConfirmationEmailRequest } from '#contracts/api/server-functions.ts'
import { quoteServiceLabel, type NewQuoteRequest } from '#domain/quotes/quote-form.ts'
import { vehicleText } from '#domain/customers/vehicle.ts'
import type { GuardHeaders } from '#web/site/kit/form-guard.ts'
import { insertGuarded } from '#web/site/kit/insert-guarded.ts'
import { requestConfirmation } from '#web/site/kit/request-confirmation.ts'

/**
 * Stores the quote request, then requests the confirmation email without awaiting it. If that second request fails,
 * only logs the error. Returns false when the quote request was not stored.
 */
export async function sendQuoteRequest(
  row: NewQuoteRequest,
  guard: GuardHeaders,
): Promise<boolean> {
  const failure = await insertGuarded((data) => data.from('quote_requests').insert(row), guard)
  if (failure) return false
  void requestConfirmation(confirmationOfQuote(row), guard)
  return true
}

function confirmationOfQuote(row: NewQuoteRequest): ConfirmationEmailRequest {
  return {
    type: 'quote',
    customerName: row.name,
    customerEmail: row.email,
    details: {
      vehicle: vehicleText(row),
      serviceType: quoteServiceLabel(row.service_type),
      description: row.description,
      phone: row.phone,
    },
  }
}
