import { callerOf, connect, queueAndSend, serveHosted } from '../_shared/hosted-backend.ts'
import { createHandler } from './handler.ts'

// The entry on a hosted project. The shop's own server mounts handler.ts directly.

declare const Deno: {
  readonly env: { get(name: string): string | undefined }
  serve(handle: (request: Request) => Promise<Response>): void
}

const setting = (name: string) => Deno.env.get(name)
const client = connect(setting)

Deno.serve(
  serveHosted(
    createHandler({
      async findQuoteRequest(id) {
        const { data, error } = await client
          .from('quote_requests')
          .select('id, name, email')
          .eq('id', id)
          .maybeSingle<{ id: string; name: string; email: string }>()
        if (error) throw new Error(`The database refused: ${error.code}`)
        return data ?? undefined
      },
      async send(email, reply) {
        const { id, isSent } = await queueAndSend(client, setting, email)
        const log = {
          quote_request_id: reply.quoteRequestId,
          email_id: id,
          recipient_email: email.to.email,
          recipient_name: reply.recipientName,
          subject: reply.subject,
          original_draft: reply.originalDraft,
          polished_draft: reply.polishedDraft ?? null,
          final_body: reply.finalBody,
          vehicle_info: reply.vehicleInfo,
          ...(isSent && { sent_at: new Date().toISOString() }),
        }
        await client.from('quote_email_logs').upsert(log, { onConflict: 'email_id' })
        if (isSent) {
          await client
            .from('quote_requests')
            .update({ status: 'completed' })
            .eq('id', reply.quoteRequestId)
        }
        return isSent
      },
    }),
    {
      whoCalls: callerOf(client),
      report: (error) => console.error('send-quote-email failed', String(error)),
    },
  ),
)
