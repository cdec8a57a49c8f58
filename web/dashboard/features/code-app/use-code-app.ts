import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Result } from '#domain/result.ts'
import { useConfirmedCall } from '#web/dashboard/kit/step-up/use-confirmed-call.tsx'
import type { ApiError } from '#web/lib/data/call-api.ts'
import { toast } from '#web/ui/toast/toast.ts'
import {
  codeAppKey,
  confirmCodeApp,
  readCodeApp,
  renewRecoveryCodes,
  startCodeApp,
  switchCodeAppOff,
} from './code-app-api.ts'

type SetUp = { readonly secret: string; readonly address: string }

/**
 * Reads, sets up and removes the authenticator app of the signed-in team member. Each change may require step-up
 * authentication.
 */
export function useCodeApp() {
  const queries = useQueryClient()
  const query = useQuery({ queryKey: codeAppKey, queryFn: readCodeApp })
  const { run, dialog } = useConfirmedCall()
  const [setUp, setSetUp] = useState<SetUp>()
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>()
  const refresh = () => queries.invalidateQueries({ queryKey: codeAppKey })

  /**
   * Sends a request about the authenticator app and returns the content of the response. If the server refuses the
   * request, shows a toast and returns undefined.
   */
  async function attempt<Value>(action: string, call: () => Promise<Result<Value, ApiError>>) {
    const result = await run(action, call)
    if (result?.ok) return result.value
    if (result) toast({ title: messageOf(result.refusal), variant: 'destructive' })
    return undefined
  }

  return {
    query,
    dialog,
    setUp,
    recoveryCodes,
    start: async () => setSetUp(await attempt('set up an authenticator app', startCodeApp)),
    cancel: () => setSetUp(undefined),
    confirm: async (code: string): Promise<string | undefined> => {
      const result = await run('set up an authenticator app', () => confirmCodeApp(code))
      if (!result?.ok) return result && messageOf(result.refusal)
      setRecoveryCodes(result.value.recoveryCodes)
      setSetUp(undefined)
      await refresh()
      return undefined
    },
    renew: async () => {
      const renewed = await attempt('make new recovery codes', renewRecoveryCodes)
      if (renewed) setRecoveryCodes(renewed.recoveryCodes)
      await refresh()
    },
    switchOff: async () => {
      if (!(await attempt('switch off your authenticator app', switchCodeAppOff))) return
      setRecoveryCodes(undefined)
      await refresh()
      toast({
        title: 'Authenticator app switched off',
        description: 'You now sign in with your password only.',
      })
    },
    forgetCodes: () => setRecoveryCodes(undefined),
  }
}

const messageOf = ({ message }: ApiError) => message || 'The server did not respond. Try again.'
