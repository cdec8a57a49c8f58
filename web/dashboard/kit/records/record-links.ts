/** The link of a customer page. */
export const customerLink = (id: string) => `?tab=person&person=${id}`

/** The link of a vehicle page. */
export const vehicleLink = (id: string) => `?tab=car&car=${id}`

export const quoteLink = (id: string) => `?tab=quotes&quote=${id}`

/** The link of an estimate page. */
export const estimateLink = (id: string) => `?tab=invoices&estimate=${id}`

/** The link of an invoice page. @param id the invoice's id at Stripe. */
export const invoiceLink = (id: string) => `?tab=invoices&invoice=${encodeURIComponent(id)}`

export const taskLink = (id: string) => `?tab=tasks&task=${id}`
