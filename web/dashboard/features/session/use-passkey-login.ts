import { useCallback, useEffect, useState } from 'react'
import { stopAsking } from '#web/dashboard/kit/passkeys/ask-device.ts'
import { logQuietly } from '#web/lib/data/log-quietly.ts'
import { toast } from '#web/ui/toast/toast.ts'
import {
  canAutofill,
  type PasskeyFailure,
  type PasskeySupport,
  readPasskeySupport,
  signInWithPasskey,
} from './passkey-sign-in.ts'

/** A challenge is valid for five minutes (docs/product.md 6.9), so the page requests a new one before it expires. */
const renewAfterMs = 4 * 60 * 1000

/**
 * The sign-in with a passkey. Until the user presses the button, the browser offers the user's passkeys in the username
 * field. The button ends this offer and opens the browser's passkey dialog.
 */
export function usePasskeyLogin() {
  const [{ against, formerHosts = [] }, setSupport] = useState<PasskeySupport>({})
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<PasskeyFailure>()
  const finish = useCallback((outcome: PasskeyFailure | undefined) => {
    setFailure(outcome)
    if (!outcome) toast({ title: 'Login Successful' })
  }, [])

  useEffect(() => {
    readPasskeySupport().then(setSupport, (error: unknown) =>
      logQuietly('The login page could not offer passkeys', error),
    )
    return stopAsking
  }, [])

  useEffect(() => {
    if (isBusy || against !== undefined) return
    let isOver = false
    const listPasskeys = async () => {
      if (!(await canAutofill()) || isOver) return
      const outcome = await signInWithPasskey('autofill')
      // A cancelled offer of passkeys in the username field shows no message, because the user did not request the
      // offer. A refusal that arrives after the page has removed the form is ignored, too.
      if (!outcome || (!isOver && outcome.kind === 'refused')) finish(outcome)
    }
    const list = () =>
      void listPasskeys().catch((error: unknown) =>
        logQuietly('The username field could not list passkeys', error),
      )
    list()
    const renewal = setInterval(list, renewAfterMs)
    return () => {
      isOver = true
      clearInterval(renewal)
    }
  }, [isBusy, against, failure, finish])

  const start = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      finish(await signInWithPasskey('dialog'))
    } finally {
      setBusy(false)
    }
  }
  return { against, formerHosts, isBusy, failure, start }
}
