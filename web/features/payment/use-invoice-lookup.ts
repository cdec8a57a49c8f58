import { useRef, useState } from 'react'
import { apiErrors } from '#contracts/errors.ts'
import { findInvoice, type Found } from './find-invoice.ts'

/** A second submission sooner than this is a double click (specification, section 5). */
const quietMs = 500

export type LookupState = {
  readonly isLooking: boolean
  readonly found: Found | undefined
  /** Words for the field: the number was not even asked for. */
  readonly fieldError: string | undefined
  /** Words in place of the invoice. */
  readonly failure: string | undefined
}

const idle: LookupState = {
  isLooking: false,
  found: undefined,
  fieldError: undefined,
  failure: undefined,
}

/** Looking an invoice up, one call at a time. */
export function useInvoiceLookup(): [LookupState, (typedNumber: string) => void] {
  const [state, setState] = useState<LookupState>(idle)
  const isLooking = useRef(false)
  const lastAsked = useRef(Number.NEGATIVE_INFINITY)

  const look = async (typedNumber: string) => {
    if (isLooking.current || performance.now() - lastAsked.current < quietMs) return
    const invoiceNumber = typedNumber.trim()
    if (invoiceNumber === '') {
      return setState({ ...idle, fieldError: apiErrors.INVALID_INPUT.message })
    }
    isLooking.current = true
    lastAsked.current = performance.now()
    setState({ ...idle, isLooking: true })
    const result = await findInvoice(invoiceNumber)
    isLooking.current = false
    setState(result.ok ? { ...idle, found: result.value } : { ...idle, failure: result.refusal })
  }
  return [state, (typedNumber) => void look(typedNumber)]
}
