import { useState } from 'react'
import { apiErrors } from '#contracts/errors.ts'
import { findInvoice, type Found } from './find-invoice.ts'
import { createSubmissionGate } from './submission-gate.ts'

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
  const [gate] = useState(() => createSubmissionGate(() => performance.now()))

  const look = async (typedNumber: string) => {
    if (!gate.isOpen()) return
    const invoiceNumber = typedNumber.trim()
    if (invoiceNumber === '') {
      return setState({ ...idle, fieldError: apiErrors.INVALID_INPUT.message })
    }
    gate.close()
    setState({ ...idle, isLooking: true })
    const result = await findInvoice(invoiceNumber)
    gate.release()
    setState(result.ok ? { ...idle, found: result.value } : { ...idle, failure: result.refusal })
  }
  return [state, (typedNumber) => void look(typedNumber)]
}
