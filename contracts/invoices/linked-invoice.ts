import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'
import type { ListedInvoice } from './invoice-list.ts'

/** An invoice as whoever has its link reads it. It has no name, phone number, email address, plate or VIN. */
export type LinkedInvoice = {
  readonly number: string | null
  readonly state: ListedInvoice['state']
  readonly currency: string
  /** 'yyyy-MM-dd'. */
  readonly dueDate: string | null
  readonly totalCents: number
  readonly paidCents: number
  readonly balanceCents: number
  /** The lines, or the jobs of an invoice of an estimate, with tax. */
  readonly work: readonly {
    readonly position: number
    readonly description: string
    readonly cents: number
  }[]
}

/** Returns the link of an invoice that is handed over: the address to scan and the one to type. */
export const handOverInvoiceEndpoint = {
  method: 'POST',
  path: '/api/invoice/hand-over',
  rights: 'admin',
  request: z.object({ invoiceId: z.string().check(z.minLength(4), z.maxLength(100)) }),
  response: z.object({ ok: z.literal(true), url: z.string(), typedUrl: z.string() }),
} satisfies Endpoint
