import { callerOf, connect, serveHosted } from '../_shared/hosted-backend.ts'
import { readShop } from '../_shared/read-shop.ts'
import { sendReply } from '../_shared/rest-outbox.ts'
import { createHandler } from './handler.ts'

// The entry point of the server function in a hosted Supabase project. The shop's own server calls handler.ts directly.

const setting = (name: string) => Deno.env.get(name)
const client = connect(setting)

Deno.serve(
  serveHosted(
    createHandler({
      readShop: () => readShop(client),
      async findQuoteRequest(id) {
        const { data, error } = await client
          .from('quote_requests')
          .select('id, name, email')
          .eq('id', id)
          .maybeSingle()
        if (error) throw new Error(`The database refused: ${error.code}`)
        return data ?? undefined
      },
      send: (email, log) => sendReply(client, setting, email, log),
    }),
    {
      identifyCaller: callerOf(client),
      report: (error) => console.error('send-quote-email failed', String(error)),
    },
  ),
)
