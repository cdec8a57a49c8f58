import { useEffect, useState } from 'react'
import type { Result } from '#domain/result.ts'
import { useLocation } from '#web/site/router.tsx'
import { useHydrated } from '#web/lib/browser/use-hydrated.ts'
import {
  readReturnAddress,
  requestConfirmation,
  type VerificationResult,
  verificationOf,
} from './verify-payment.ts'

export type VerificationState =
  | { readonly kind: 'verifying' }
  | { readonly kind: 'verified'; readonly verified: VerificationResult }
  | { readonly kind: 'failed'; readonly message: string }
  /** The URL contains neither a Stripe Checkout Session nor an invoice to verify. */
  | { readonly kind: 'unknown' }

type FinishedVerification = Extract<VerificationState, { kind: 'verified' | 'failed' }>

/** Verifies the payment that the URL names, then asks the server to email the receipt. */
export function usePaymentVerification() {
  const isHydrated = useHydrated()
  const { search } = useLocation()
  const query = isHydrated ? search : ''
  const address = readReturnAddress(query)
  const isNamed = verificationOf(address) !== undefined
  // The result contains the query string for which it was requested, so that the page can ignore the result for an
  // earlier URL.
  const [verification, setVerification] = useState<{ query: string; state: FinishedVerification }>()

  useEffect(() => {
    const verify = verificationOf(readReturnAddress(query))
    if (!verify) return
    let isCurrent = true
    const showResult = (result: Result<VerificationResult, string>) => {
      if (!isCurrent) return
      setVerification({ query, state: toState(result) })
      if (result.ok) void requestConfirmation(result.value.payment)
    }
    void verify().then(showResult)
    return () => {
      isCurrent = false
    }
  }, [query])

  const again = async () => {
    const verify = verificationOf(address)
    if (!verify) return
    setVerification(undefined)
    const result = await verify()
    setVerification({ query, state: toState(result) })
    if (result.ok) await requestConfirmation(result.value.payment)
  }
  return { state: stateOf(), invoiceNumber: address.invoiceNumber, again: () => void again() }

  function stateOf(): VerificationState {
    if (verification !== undefined && verification.query === query) return verification.state
    return isHydrated && !isNamed ? { kind: 'unknown' } : { kind: 'verifying' }
  }
}

function toState(result: Result<VerificationResult, string>): FinishedVerification {
  return result.ok
    ? { kind: 'verified', verified: result.value }
    : { kind: 'failed', message: result.refusal }
}
