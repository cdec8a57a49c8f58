import { connect, queueAndSend, serveHosted } from '../_shared/hosted-backend.ts'
import { createHandler } from './handler.ts'

// The entry on a hosted project. The shop's own server mounts handler.ts directly.

declare const Deno: {
  readonly env: { get(name: string): string | undefined }
  serve(handle: (request: Request) => Promise<Response>): void
}

const setting = (name: string) => Deno.env.get(name)
const client = connect(setting)
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

async function rowsOf<Row>(
  query: PromiseLike<{ data: unknown; error: { code: string } | null }>,
): Promise<Row[]> {
  const { data, error } = await query
  if (error) throw new Error(`The database refused: ${error.code}`)
  return data as Row[]
}

type BookingRow = Omit<
  Awaited<ReturnType<Parameters<typeof createHandler>[0]['findFreshBookings']>>[number],
  'serviceName'
> & { service: { name: string } }

function withServiceName({ service, ...booking }: BookingRow) {
  return { ...booking, serviceName: service.name }
}

Deno.serve(
  serveHosted(
    createHandler({
      async findFreshBookings(customerEmail) {
        const rows = await rowsOf<BookingRow>(
          client
            .from('bookings')
            .select(
              `id, date:appointment_date, time:appointment_time, durationMinutes:duration_minutes,
               customerName:customer_name, customerEmail:customer_email, customerPhone:customer_phone, notes,
               vehicleYear:vehicle_year, vehicleMake:vehicle_make, vehicleModel:vehicle_model,
               vehicleColor:vehicle_color, createdAt:created_at, service:services(name)`,
            )
            .eq('customer_email', customerEmail)
            .neq('status', 'cancelled')
            .gt('created_at', minutesAgo(15))
            .not('flagged_reasons', 'cs', '{hidden_field_filled}')
            .order('created_at', { ascending: false })
            .limit(20),
        )
        return rows.map(withServiceName)
      },
      findFreshQuoteRequests: (email) =>
        rowsOf(
          client
            .from('quote_requests')
            .select(
              `id, name, email, phone, vehicleYear:vehicle_year, vehicleMake:vehicle_make,
               vehicleModel:vehicle_model, serviceType:service_type, description`,
            )
            .eq('email', email)
            .gt('created_at', minutesAgo(15))
            .not('flagged_reasons', 'cs', '{hidden_field_filled}')
            .order('created_at', { ascending: false })
            .limit(20),
        ),
      async countRecentConfirmations(email) {
        const { count, error } = await client
          .from('emails')
          .select('id', { count: 'exact', head: true })
          // In any case, as the site counts: another spelling is the same mailbox.
          .ilike('recipient_email', email.replaceAll(/[\\%_]/g, String.raw`\$&`))
          .in('kind', ['booking_confirmation', 'quote_confirmation'])
          .gt('created_at', minutesAgo(60))
        if (error) throw new Error(`The database refused: ${error.code}`)
        return count ?? 0
      },
      async send(email) {
        const { isSent } = await queueAndSend(client, setting, email, { retriesLater: true })
        return isSent
      },
    }),
    { report: (error) => console.error('send-confirmation-email failed', String(error)) },
  ),
)
