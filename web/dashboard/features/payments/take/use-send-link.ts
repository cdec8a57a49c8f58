import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import { counterCommands } from '#contracts/payments/counter-commands.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { runCommand } from '#web/lib/data/run-command.ts'

/** A sent link: the recipient's address and the time. */
export type SentLink = { readonly to: string; readonly at: Date }

export type LinkSending = ReturnType<typeof useSendLink>

/**
 * Emails the customer the link to pay an invoice. If the response was lost and staff press the button again, the server
 * sends only one email.
 */
export function useSendLink({ id, customerEmail }: ListedInvoice) {
  const queries = useQueryClient()
  const sending = useMutation({
    mutationFn: (_to: string) => runCommand(counterCommands.sendLink, { invoiceId: id }),
    onSettled: () => refetchQueries(queries, 'invoices'),
  })
  const sent: SentLink | undefined = sending.isSuccess
    ? { to: sending.variables, at: new Date(sending.submittedAt) }
    : undefined
  return {
    send: () => {
      if (customerEmail !== null && !sending.isPending) sending.mutate(customerEmail)
    },
    isBusy: sending.isPending,
    error: sending.error,
    sent,
  }
}
