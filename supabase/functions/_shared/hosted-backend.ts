import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '#contracts/database.ts'
import type { FunctionCaller } from './function-caller.ts'

/** Returns a setting of the hosted runtime by its name; undefined if it is not set. */
export type ReadSetting = (name: string) => string | undefined

/** Connects to the tables and functions of the hosted Supabase project with the role `service_role`. */
export function connect(setting: ReadSetting): SupabaseClient<Database> {
  const [url, key] = [setting('SUPABASE_URL'), setting('SUPABASE_SERVICE_ROLE_KEY')]
  if (!url || !key) throw new Error('SUPABASE_URL and SUPABASE_SERVICE_ROLE_KEY are not set')
  return createClient<Database>(url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
}

/**
 * The names of the request headers that identify the sender. The gateway overwrites a client's own `cf-connecting-ip`;
 * the project's REST API passes the same header to the database.
 */
const senderHeaders = ['x-form-token', 'cf-connecting-ip']

function visitorOf({ headers }: Request): FunctionCaller {
  const named = senderHeaders.map((name) => [name, headers.get(name) ?? ''] as const)
  const sender = Object.fromEntries(named.filter(([, value]) => value !== ''))
  return { role: 'anon', isAdmin: false, sender }
}

/**
 * Asks the project's auth service for the user of the access token, and the database for the role of the user's staff
 * account. This function does not read the token's claims, because the deployment setting verify_jwt determines whether
 * the gateway has verified the token's signature.
 */
export function callerOf(client: SupabaseClient<Database>) {
  return async (request: Request): Promise<FunctionCaller> => {
    const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
    const visitor = visitorOf(request)
    if (token === undefined) return visitor
    const { data } = await client.auth.getUser(token)
    if (!data.user) return visitor
    const account = await client
      .from('staff_accounts')
      .select('role')
      .eq('user_id', data.user.id)
      .eq('is_active', true)
      .maybeSingle()
    if (account.error) throw account.error
    const isAdmin = ['owner', 'advisor'].includes(account.data?.role ?? '')
    return { ...visitor, role: 'authenticated', isAdmin }
  }
}

const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers':
    'authorization, apikey, content-type, x-client-info, x-form-token',
  'access-control-allow-methods': 'POST, OPTIONS',
  'cache-control': 'no-store',
}

type HostedOptions = {
  /** Determines the role of the caller. Without this option, every caller counts as a visitor. */
  readonly identifyCaller?: (request: Request) => Promise<FunctionCaller>
  /** Writes a failure to the log of the server function. */
  readonly report: (error: unknown) => void
}

/** Serves a handler in the hosted runtime and adds CORS headers. The response to a failure contains no details. */
export function serveHosted(
  handle: (request: Request, caller: FunctionCaller) => Promise<Response>,
  { identifyCaller = (request) => Promise.resolve(visitorOf(request)), report }: HostedOptions,
) {
  return async (request: Request): Promise<Response> => {
    if (request.method === 'OPTIONS')
      return new Response(null, { status: 204, headers: corsHeaders })
    const response = await identifyCaller(request)
      .then((caller) => handle(request, caller))
      .catch((error: unknown) => {
        report(error)
        return Response.json(
          { success: false, error: 'Something went wrong on our side.' },
          { status: 500 },
        )
      })
    for (const [name, value] of Object.entries(corsHeaders)) response.headers.set(name, value)
    return response
  }
}
