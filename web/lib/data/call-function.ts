import type { ServerFunctions } from '#contracts/api/server-functions.ts'
import type { DataService } from './supabase.ts'

/**
 * Calls a server function by its name in `ServerFunctions`: `callFunction(data, 'send-quote-email', { body: reply })`.
 */
export function callFunction<Name extends keyof ServerFunctions>(
  data: DataService,
  name: Name,
  options: {
    readonly body: ServerFunctions[Name]['request']
    readonly headers?: Record<string, string>
    readonly timeout?: number
  },
) {
  return data.functions.invoke<ServerFunctions[Name]['response']>(name, options)
}
