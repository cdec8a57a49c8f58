import { useCallback, useEffect, useState } from 'react'
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

/** Verifies the payment that the address speaks of, then asks for its confirmation e-mail. */
export function usePaymentVerification() {
  const isHydrated = useHydrated()
  const { search } = useLocation()
  const [state, setState] = useState<VerificationState>({ kind: 'verifying' })
  const address = readReturnAddress(isHydrated ? search : '')
  const path = verificationPath(address)

  const verify = useCallback(
    async (isCurrent: () => boolean) => {
      if (path === undefined) return setState({ kind: 'unknown' })
      setState({ kind: 'verifying' })
      const result = await verifyPayment(path)
      if (!isCurrent()) return
      if (!result.ok) return setState({ kind: 'failed', message: result.refusal })
      setState({ kind: 'verified', verified: result.value })
      const reply = await requestConfirmation(result.value.payment)
      if (reply.kind !== 'json' || !reply.httpOk) {
        logQuietly('The payment confirmation was not requested', reply.kind)
      }
    },
    [path],
  )

  useEffect(() => {
    if (!isHydrated) return
    let isCurrent = true
    void verify(() => isCurrent)
    return () => {
      isCurrent = false
    }
  }, [isHydrated, verify])

  const again = () => void verify(() => true)
  return { state, invoiceNumber: address.invoiceNumber, again }
}
