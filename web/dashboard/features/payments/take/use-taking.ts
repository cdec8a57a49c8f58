import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { counterCommands, type TakenPayment } from '#contracts/payments/counter-commands.ts'
import type { InputOf } from '#contracts/commands/command.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { runCommand } from '#web/lib/data/run-command.ts'
import { rememberWay } from './last-way.ts'
import type { Receipt } from './use-payment-form.ts'

export type PaymentOrder = InputOf<typeof counterCommands.takePayment>

/** The result of taking a payment: taken, or refused because the customer has paid online in the meantime. */
export type Outcome =
  | {
      readonly kind: 'taken'
      readonly order: PaymentOrder
      readonly receipt: Receipt
      readonly payment: TakenPayment
    }
  | { readonly kind: 'paid-online'; readonly order: PaymentOrder }

type Press = { readonly order: PaymentOrder; readonly receipt: Receipt }

/**
 * Sends the command that records a payment. If staff press the button again after a lost response, the second request
 * has the same command id, so the server takes the payment only once.
 */
export function useTaking() {
  const queries = useQueryClient()
  const [outcome, setOutcome] = useState<Outcome>()
  const taking = useMutation({
    mutationFn: ({ order }: Press) => runCommand(counterCommands.takePayment, order),
    onSuccess: (payment, { order, receipt }) => {
      rememberWay(order.method)
      setOutcome({ kind: 'taken', order, receipt, payment })
    },
    onError: (error, { order }) => {
      if (error instanceof DataError && error.code === 'PAID_ONLINE') {
        setOutcome({ kind: 'paid-online', order })
      }
    },
    onSettled: () => refetchQueries(queries, 'invoices'),
  })
  return {
    outcome,
    take: taking.mutate,
    isBusy: taking.isPending,
    error: taking.error,
    forgetError: taking.reset,
  }
}
