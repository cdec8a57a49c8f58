import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '#contracts/database.ts'
import type { FunctionCaller } from './function-caller.ts'

/** Settings of the function, as the hosted runtime offers them. */
export type ReadSetting = (name: string) => string | undefined

/** The project's tables and functions as service_role. */
export function connect(setting: ReadSetting): SupabaseClient<Database> {
  const [url, key] = [setting('SUPABASE_URL'), setting('SUPABASE_SERVICE_ROLE_KEY')]
  if (!url || !key) throw new Error('SUPABASE_URL and SUPABASE_SERVICE_ROLE_KEY are not set')
  return createClient<Database>(url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
}

/**
 * What names the sender. The gateway writes `cf-connecting-ip` over what a client sent; the project's data
 * service shows the same header to the database.
 */
const senderHeaders = ['x-form-token', 'cf-connecting-ip']

function visitorOf({ headers }: Request): FunctionCaller {
  const named = senderHeaders.map((name) => [name, headers.get(name) ?? ''] as const)
  const sender = Object.fromEntries(named.filter(([, value]) => value !== ''))
  return { role: 'anon', isAdmin: false, sender }
}

/**
 * Who calls, as the project's auth service knows the token. The gateway may have checked its signature
 * (verify_jwt) or not: that is a setting of each deployment, so nothing is read from an unchecked token.
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
  /** How to tell who calls, for a handler that depends on it; every other one sees a visitor. */
  readonly identifyCaller?: (request: Request) => Promise<FunctionCaller>
  /** Where a failure goes: to the function's log. */
  readonly report: (error: unknown) => void
}

/** Serves a handler as the hosted runtime asks for it, with CORS; a failure is answered without details. */
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
