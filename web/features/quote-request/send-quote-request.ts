import type { SupabaseClient } from '@supabase/supabase-js'
import { quoteServiceLabel, type NewQuoteRequest } from '#domain/quote-form.ts'
import { vehicleText } from '#domain/vehicle.ts'
import { senderHeaders, type GuardHeaders } from '#web/lib/form-guard.ts'
import { insertGuarded } from '#web/lib/insert-guarded.ts'
import { logQuietly } from '#web/lib/log-quietly.ts'
import { getDataService } from '#web/lib/supabase.ts'

/**
 * Stores the request, then asks for the confirmation e-mail without waiting for it: its failure is only
 * logged. False when the request was not stored.
 */
export async function sendQuoteRequest(
  row: NewQuoteRequest,
  guard: GuardHeaders,
): Promise<boolean> {
  const failure = await insertGuarded((data) => data.from('quote_requests').insert(row), guard)
  if (failure) return false
  void requestConfirmation(await getDataService(), row, guard)
  return true
}

type Reply = { readonly error?: string } | null

async function requestConfirmation(
  data: SupabaseClient,
  row: NewQuoteRequest,
  guard: GuardHeaders,
): Promise<void> {
  const { data: reply, error } = await data.functions.invoke<Reply>('send-confirmation-email', {
    headers: senderHeaders(guard),
    body: {
      type: 'quote',
      customerName: row.name,
      customerEmail: row.email,
      details: {
        vehicle: vehicleText(row),
        serviceType: quoteServiceLabel(row.service_type),
        description: row.description,
        phone: row.phone,
      },
    },
  })
  if (!error && !reply?.error) return
  logQuietly('The confirmation e-mail of the quote request was not sent', error ?? 'refused')
}
