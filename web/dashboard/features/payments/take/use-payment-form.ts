import { useState } from 'react'
import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import {
  checkAmount,
  parseAmount,
  type PaymentForm,
  type PaymentRefusal,
} from '#domain/payments/payment-form.ts'
import { containsCardNumber } from '#domain/payments/card-number.ts'
import { lastWay } from './last-way.ts'
import { amountText, type Way } from './payment-text.ts'

/** The way in which the customer gets the receipt. */
export type Receipt = 'email' | 'print' | 'none'

type Typed = {
  readonly way: Way
  /**
   * The amount that staff typed, and the balance at that time; undefined if staff typed no amount and take the whole
   * balance.
   */
  readonly amount: { readonly text: string; readonly balanceCents: number } | undefined
  readonly given: string
  /**
   * The typed reference (such as a check number) of each payment method. Each reference is kept when staff switch to
   * another method.
   */
  readonly references: Readonly<Partial<Record<Way, string>>>
  readonly note: string
  readonly receipt: Receipt
}

/**
 * The input of 'Take payment'. If another payment lowers the balance below the typed amount, the amount becomes the new
 * balance.
 */
export function usePaymentForm({ balanceCents, customerEmail }: ListedInvoice) {
  const [typed, setTyped] = useState<Typed>(() => ({
    way: lastWay(),
    amount: undefined,
    given: '',
    references: {},
    note: '',
    receipt: customerEmail === null ? 'none' : 'email',
  }))
  const [refusal, setRefusal] = useState<PaymentRefusal>()
  const change = (changes: Partial<Typed>) => {
    setTyped((before) => ({ ...before, ...changes }))
    setRefusal(undefined)
  }
  const { way, references } = typed
  const setReference = (text: string) => change({ references: { ...references, [way]: text } })
  const amount = shownAmount(typed.amount, balanceCents)
  const values = {
    method: way === 'link' ? ('other' as const) : way,
    amount,
    given: typed.given,
    reference: references[way] ?? '',
    note: typed.note,
  }
  return {
    way,
    receipt: typed.receipt,
    values,
    change,
    setAmount: (text: string) => change({ amount: { text, balanceCents } }),
    setReference,
    refusal: refusal ?? excessOf(values, balanceCents),
    /** Shows an error at its field. If the field contains a card number, removes the number. */
    refuse: (next: PaymentRefusal | undefined) => {
      if (next?.field === 'reference' && containsCardNumber(values.reference)) setReference('')
      if (next?.field === 'note') change({ note: '' })
      setRefusal(next)
    },
    isTyped:
      typed.amount !== undefined ||
      [typed.given, typed.note, ...Object.values(references)].some((text) => text.trim() !== ''),
  }
}

export type PaymentInput = ReturnType<typeof usePaymentForm>

function shownAmount(amount: Typed['amount'], balanceCents: number): string {
  if (!amount) return amountText(balanceCents)
  const isTooMuch = (parseAmount(amount.text) ?? 0) > balanceCents
  return isTooMuch && amount.balanceCents !== balanceCents ? amountText(balanceCents) : amount.text
}

/**
 * Returns the error for an amount above the balance. The form shows this error during typing, and other errors only
 * when staff take the payment.
 */
function excessOf(values: PaymentForm, balanceCents: number): PaymentRefusal | undefined {
  const cents = parseAmount(values.amount)
  if (cents === undefined || cents <= balanceCents) return undefined
  const checked = checkAmount(values, balanceCents)
  return checked.ok ? undefined : checked.refusal
}
