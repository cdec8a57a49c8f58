import type { SupabaseClient } from '@supabase/supabase-js'
import { quoteServiceLabel, type NewQuoteRequest } from '#domain/quote-form.ts'
import { vehicleText } from '#domain/vehicle.ts'
import { senderHeaders, type GuardHeaders } from '#web/lib/form-guard.ts'
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
  try {
    const data = await getDataService()
    // No `select`: a visitor may insert a request and read none.
    const insert = data.from('quote_requests').insert(row).abortSignal(AbortSignal.timeout(20_000))
    for (const [name, value] of Object.entries(guard)) insert.setHeader(name, value)
    const { error } = await insert
    if (error) {
      logQuietly('The quote request was not stored', error.code)
      return false
    }
    void requestConfirmation(data, row, guard)
    return true
  } catch (error) {
    logQuietly('The quote request was not sent', error)
    return false
  }
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
