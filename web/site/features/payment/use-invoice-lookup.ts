import { useState } from 'react'
import { lookupErrors } from '#contracts/invoices/lookup-errors.ts'
import { findInvoice, type LookupResult, type LookupInput } from './find-invoice.ts'
import { createSubmissionGate } from './submission-gate.ts'

export type LookupState = {
  readonly isLooking: boolean
  readonly found: LookupResult | undefined
  /** The error messages of fields that failed validation in the browser, so that no request was sent. */
  readonly fieldErrors: { readonly [Field in keyof LookupInput]?: string }
  /** The message that the page shows instead of an invoice. */
  readonly failure: string | undefined
}

const idle: LookupState = {
  isLooking: false,
  found: undefined,
  fieldErrors: {},
  failure: undefined,
}

/** Finds an invoice. Only one lookup runs at a time. */
export function useInvoiceLookup(): [LookupState, (input: LookupInput) => void] {
  const [state, setState] = useState<LookupState>(idle)
  const [gate] = useState(() => createSubmissionGate(() => performance.now()))

  const lookUp = async (input: LookupInput) => {
    if (!gate.isOpen()) return
    const lookup = trimmed(input)
    const fieldErrors = missingFields(lookup)
    if (Object.keys(fieldErrors).length > 0) return setState({ ...idle, fieldErrors })
    gate.close()
    setState({ ...idle, isLooking: true })
    const result = await findInvoice(lookup)
    gate.release()
    setState(result.ok ? { ...idle, found: result.value } : { ...idle, failure: result.refusal })
  }
  return [state, (input) => void lookUp(input)]
}

function trimmed({ invoiceNumber, customerEmail }: LookupInput): LookupInput {
  return {
    invoiceNumber: invoiceNumber.trim(),
    ...(customerEmail !== undefined && { customerEmail: customerEmail.trim() }),
  }
}

function missingFields({ invoiceNumber, customerEmail }: LookupInput): LookupState['fieldErrors'] {
  return {
    ...(invoiceNumber === '' && { invoiceNumber: lookupErrors.INVALID_INPUT.message }),
    ...(customerEmail === '' && { customerEmail: lookupErrors.EMAIL_NEEDED.message }),
  }
}
