import { useMutation } from '@tanstack/react-query'
import type { InvoicePrefill } from '#contracts/invoices/invoice-prefill.ts'
import type { QuoteRequest } from '#contracts/quote-requests.ts'
import { createErrorMessage } from '#web/dashboard/kit/records/use-create-estimate.ts'
import { toast } from '#web/ui/toast/toast.ts'
import { invoiceFromQuote } from './quote-text.ts'
import { readQuoteEmail } from './quotes-api.ts'

/**
 * Opens the invoice form for a quote request, filled in with the customer's confirmed email address if there is one.
 */
export function useBilling(onCreateInvoice: (invoice: InvoicePrefill) => void) {
  return useMutation({
    mutationFn: (quote: QuoteRequest) => readQuoteEmail(quote.id),
    onSuccess: (email, quote) => {
      onCreateInvoice(invoiceFromQuote(quote, email ?? ''))
      if (email !== null) return
      toast({
        title: 'Please enter the email address',
        description: `${quote.email} was typed online and is not confirmed.`,
      })
    },
    onError: (error) =>
      toast({
        title: 'Could not open the invoice form',
        description: createErrorMessage(error),
        variant: 'destructive',
      }),
  })
}
