import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '#contracts/database.ts'
import type { FunctionCaller } from './function-caller.ts'

/** Reads a setting of the function from the hosted runtime. */
export type ReadSetting = (name: string) => string | undefined

/** Connects to the project's tables and functions as service_role. */
export function connect(setting: ReadSetting): SupabaseClient<Database> {
  const [url, key] = [setting('SUPABASE_URL'), setting('SUPABASE_SERVICE_ROLE_KEY')]
  if (!url || !key) throw new Error('SUPABASE_URL and SUPABASE_SERVICE_ROLE_KEY are not set')
  return createClient<Database>(url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
}

/**
 * The headers that identify the sender. The gateway overwrites `cf-connecting-ip` from clients; the project's data
 * service passes the same header to the database.
 */
const senderHeaders = ['x-form-token', 'cf-connecting-ip']

function visitorOf({ headers }: Request): FunctionCaller {
  const named = senderHeaders.map((name) => [name, headers.get(name) ?? ''] as const)
  const sender = Object.fromEntries(named.filter(([, value]) => value !== ''))
  return { role: 'anon', isAdmin: false, sender }
}

/**
 * Identifies the caller with the project's auth service. Whether the gateway has checked the signature (verify_jwt)
 * depends on the deployment, so no claim is read from the token itself.
 */
export function callerOf(client: SupabaseClient<Database>) {
  return async (request: Request): Promise<FunctionCaller> => {
    const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
    const visitor = visitorOf(request)
    if (token === undefined) return visitor
    const { data } = await client.auth.getUser(token)
    if (!data.user) return visitor
    const isAdmin = data.user.app_metadata['role'] === 'admin'
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
  /** Identifies the caller, for a handler that depends on it; without it, every caller is a visitor. */
  readonly identifyCaller?: (request: Request) => Promise<FunctionCaller>
  /** Writes a failure to the function's log. */
  readonly report: (error: unknown) => void
}

/** Serves a handler in the hosted runtime, with CORS; the response to a failure contains no details. */
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
