import { type FormEvent, useState } from 'react'
import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import { cashDueCents } from '#domain/payments/cash.ts'
import { checkPayment, parseAmount, type PaymentField } from '#domain/payments/payment-form.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { rememberWay } from './last-way.ts'
import { amountText, type Way } from './payment-text.ts'
import { problemOf, refusedField, type TakingProblem } from './taking-errors.ts'
import { usePaymentForm } from './use-payment-form.ts'
import { type PaymentOrder, useTaking } from './use-taking.ts'
import { useQuery } from '@tanstack/react-query'
import { requestData } from '#web/lib/data/request-data.ts'

export type PaymentPanelState = ReturnType<typeof usePaymentPanel>

/** The state of the panel 'Take payment': its form, and the command that records the payment. */
export function usePaymentPanel(invoice: ListedInvoice, formId: string) {
  const { balanceCents } = invoice
  const input = usePaymentForm(invoice)
  const taking = useTaking()
  const [problem, setProblem] = useState<TakingProblem>()
  const rounds = useRoundsCash()
  const isOffline = useOfflineSince() !== undefined
  const typedCents = parseAmount(input.values.amount) ?? 0
  const amountCents = Math.min(typedCents, balanceCents)
  const focus = (field: PaymentField) =>
    document.getElementById(formId)?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus()

  const take = (values: typeof input.values) => {
    if (taking.isBusy || isOffline || input.way === 'link') return
    const checked = checkPayment(values, { balanceCents, rounds })
    if (!checked.ok) {
      const { field } = checked.refusal
      // If the user presses Enter on a payment method, the form does not take the payment, but focuses the field that
      // this method requires.
      const isFirstVisit = field === 'reference' && values.reference === '' && !hasFocus(field)
      input.refuse(isFirstVisit ? undefined : checked.refusal)
      return focus(field)
    }
    setProblem(undefined)
    const sendsReceipt = input.receipt === 'email'
    const order = { invoiceId: invoice.id, method: values.method, ...checked.value, sendsReceipt }
    taking.take({ order, receipt: input.receipt }, { onError: (error) => fail(error, order) })
  }
  const fail = (error: Error, order: PaymentOrder) => {
    const refusal = refusedField(error, order)
    if (refusal) input.refuse(refusal)
    else setProblem(problemOf(error))
  }
  const choose = (way: Way, isPressed: boolean) => {
    input.change({ way })
    if (way === 'link') rememberWay(way)
    // Keeps the focus unchanged on a touch screen, because focusing a field would open the on-screen keyboard.
    const movesOn = isPressed && matchMedia('(pointer: fine)').matches
    // React renders the field for the given cash after this key press or click, so a microtask focuses the field.
    if (way === 'cash' && movesOn) queueMicrotask(() => focus('given'))
  }
  return {
    input,
    problem,
    isOffline,
    isBusy: taking.isBusy,
    outcome: taking.outcome,
    /** The typed amount in cents, which can exceed the balance. */
    typedCents,
    /** The typed amount in cents, but at most the balance. */
    amountCents,
    /** The amount that the customer has to pay, in cents: for cash, rounded to five cents if the shop rounds cash. */
    dueCents:
      input.way === 'cash' ? cashDueCents({ amountCents, balanceCents, rounds }) : amountCents,
    choose,
    submit: (event: FormEvent) => {
      event.preventDefault()
      take(input.values)
    },
    /** Records a partial payment in the amount of the given cash. The customer still owes the rest of the balance. */
    takeGiven: (cents: number) =>
      take({ ...input.values, amount: amountText(cents), given: amountText(cents) }),
  }
}

const hasFocus = (name: string) => document.activeElement?.getAttribute('name') === name

/** Whether the shop rounds a cash payment to five cents; false until the setting is loaded. */
function useRoundsCash(): boolean {
  const { data } = useQuery({ queryKey: ['settings', 'rounds-cash'], queryFn: readRoundsCash })
  return data ?? false
}

async function readRoundsCash(): Promise<boolean> {
  const { data } = await requestData((service) =>
    service.from('booking_rules').select('rounds_cash').single(),
  )
  return data.rounds_cash
}
