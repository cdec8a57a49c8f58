import { connect, serveHosted } from '../_shared/hosted-backend.ts'
import { readShop } from '../_shared/read-shop.ts'
import { sendToVisitor } from '../_shared/rest-outbox.ts'
import { createHandler } from './handler.ts'

// The entry point of the server function in a hosted Supabase project. The shop's own server calls handler.ts directly.

const setting = (name: string) => Deno.env.get(name)
const client = connect(setting)
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

async function rowsOf<Row>(
  query: PromiseLike<{ data: Row[] | null; error: { code: string } | null }>,
): Promise<Row[]> {
  const { data, error } = await query
  if (error) throw new Error(`The database refused: ${error.code}`)
  return data ?? []
}

type Dependencies = Parameters<typeof createHandler>[0]
type Sender = Parameters<Dependencies['findRecentBookings']>[1]
type Form = { booking_id: string | null; quote_request_id: string | null }

/** Returns the ids of the bookings or quote requests that the sender of the request created in the last 15 minutes. */
async function formsOf(sender: Sender, kind: keyof Form): Promise<string[]> {
  const forms: Form[] = await rowsOf(client.rpc('forms_sent_by', { headers: sender }))
  return forms.flatMap((form) => form[kind] ?? [])
}

Deno.serve(
  serveHosted(
    createHandler({
      readShop: () => readShop(client),
      async findRecentBookings(customerEmail, sender) {
        const rows = await rowsOf(
          client
            .from('bookings')
            .select(
              `id, date:appointment_date, time:appointment_time, durationMinutes:duration_minutes,
               customerName:customer_name, customerEmail:customer_email, vehicleYear:vehicle_year,
               vehicleMake:vehicle_make, vehicleModel:vehicle_model, vehicleColor:vehicle_color,
               customerPhone:customer_phone, notes, flaggedReasons:flagged_reasons,
               heldUntil:held_until, calendarSequence:calendar_sequence, serviceName:service_name`,
            )
            .in('id', await formsOf(sender, 'booking_id'))
            .eq('customer_email', customerEmail)
            .not('status', 'in', '(cancelled,not_confirmed)')
            .gt('created_at', minutesAgo(15))
            .not('flagged_reasons', 'cs', '{hidden_field_filled}')
            .order('created_at', { ascending: false })
            .limit(20),
        )
        return rows.map((row) =>
          Object.assign(row, { customerEmail, hasNotes: (row.notes ?? '') !== '' }),
        )
      },
      findRecentQuoteRequests: async (email, sender) =>
        rowsOf(
          client
            .from('quote_requests')
            .select(
              `id, name, email, vehicleYear:vehicle_year, vehicleMake:vehicle_make,
               serviceType:service_type, description, flaggedReasons:flagged_reasons`,
            )
            .in('id', await formsOf(sender, 'quote_request_id'))
            .eq('email', email)
            .gt('created_at', minutesAgo(15))
            .not('flagged_reasons', 'cs', '{hidden_field_filled}')
            .order('created_at', { ascending: false })
            .limit(20),
        ),
      async visitUrl(bookingId) {
        const site = setting('PUBLIC_URL')
        const { data } = await client.rpc('visit_page_token', { booking_id: bookingId })
        return site && typeof data === 'string' ? new URL(`/visit/${data}`, site).href : undefined
      },
      send: (email) => sendToVisitor(client, setting, email),
    }),
    { report: (error) => console.error('send-confirmation-email failed', String(error)) },
  ),
)
