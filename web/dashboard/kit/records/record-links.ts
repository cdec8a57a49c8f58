/** Where a person is seen, with everything of theirs. */
export const customerLink = (id: string) => `?tab=person&person=${id}`

/** Where a car is seen, by mileage. */
export const vehicleLink = (id: string) => `?tab=car&car=${id}`

export const quoteLink = (id: string) => `?tab=quotes&quote=${id}`

/** Where an estimate is written and read. */
export const estimateLink = (id: string) => `?tab=invoices&estimate=${id}`

/** @param id the payment processor's. */
export const invoiceLink = (id: string) => `?tab=invoices&invoice=${encodeURIComponent(id)}`

export const taskLink = (id: string) => `?tab=tasks&task=${id}`
