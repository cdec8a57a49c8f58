import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { CreateInvoiceResponse } from '#contracts/invoices.ts'
import { ApiRefusal } from '#web/lib/ask-api.ts'
import { toast } from '#web/ui/toast.ts'
import { createInvoice, type InvoiceOrder } from './invoices-api.ts'

/** Creates the invoice and says what became of it and of its e-mail. */
export function useCreateInvoice(onCreated: (created: CreateInvoiceResponse) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (order: InvoiceOrder) => createInvoice(order),
    onSuccess: async (created, order) => {
      announce(created, order.sendEmail)
      onCreated(created)
      await queries.invalidateQueries({ queryKey: ['invoices'] })
    },
    onError: (error) =>
      toast({
        title: 'Error',
        description: (error instanceof ApiRefusal && error.message) || 'Failed to create invoice',
        variant: 'destructive',
      }),
  })
}

function announce(
  { invoice, emailSent, emailError }: CreateInvoiceResponse,
  wanted: boolean,
): void {
  if (wanted && !emailSent) {
    toast({
      title: 'Invoice Created (Email Failed)',
      description: emailError ?? 'Unknown error',
      variant: 'destructive',
    })
    return
  }
  toast(
    wanted
      ? {
          title: 'Invoice Created & Sent',
          description: `${invoice.number ?? 'The invoice'} is on its way to ${invoice.customer_email ?? 'the customer'}.`,
        }
      : { title: 'Invoice Created', description: `${invoice.number ?? 'It'} is ready to be paid.` },
  )
}
