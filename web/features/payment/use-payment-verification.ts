import { useEffect, useState } from 'react'
import type { Result } from '#domain/result.ts'
import { useLocation } from '#web/lib/router.tsx'
import { logQuietly } from '#web/lib/log-quietly.ts'
import { useHydrated } from '#web/lib/use-hydrated.ts'
import {
  readReturnAddress,
  requestConfirmation,
  verificationPath,
  type Verified,
  verifyPayment,
} from './verify-payment.ts'

export type VerificationState =
  | { readonly kind: 'verifying' }
  | { readonly kind: 'verified'; readonly verified: Verified }
  | { readonly kind: 'failed'; readonly message: string }
  /** The address names nothing that could be verified. */
  | { readonly kind: 'unknown' }

type Answered = Extract<VerificationState, { kind: 'verified' | 'failed' }>

/** Verifies the payment that the address speaks of, then asks for its confirmation e-mail. */
export function usePaymentVerification() {
  const isHydrated = useHydrated()
  const { search } = useLocation()
  const address = readReturnAddress(isHydrated ? search : '')
  const path = verificationPath(address)
  // The answer remembers what was asked: one to an older address is none.
  const [answer, setAnswer] = useState<{ path: string; state: Answered }>()

  useEffect(() => {
    if (path === undefined) return
    let isCurrent = true
    const take = (result: Result<Verified, string>) => {
      if (!isCurrent) return
      setAnswer({ path, state: toState(result) })
      if (result.ok) void confirm(result.value)
    }
    void verifyPayment(path).then(take)
    return () => {
      isCurrent = false
    }
  }, [path])

  const again = async () => {
    if (path === undefined) return
    setAnswer(undefined)
    const result = await verifyPayment(path)
    setAnswer({ path, state: toState(result) })
    if (result.ok) await confirm(result.value)
  }
  return { state: stateOf(), invoiceNumber: address.invoiceNumber, again: () => void again() }

  function stateOf(): VerificationState {
    if (answer !== undefined && answer.path === path) return answer.state
    return isHydrated && path === undefined ? { kind: 'unknown' } : { kind: 'verifying' }
  }
}

function toState(result: Result<Verified, string>): Answered {
  return result.ok
    ? { kind: 'verified', verified: result.value }
    : { kind: 'failed', message: result.refusal }
}

async function confirm({ payment }: Verified): Promise<void> {
  const reply = await requestConfirmation(payment)
  if (reply.kind === 'json' && reply.httpOk && isOk(reply.body)) return
  logQuietly('The payment confirmation was not requested', reply.kind)
}

function isOk(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'ok' in body && body.ok === true
}
