import type { InvoiceLookup } from '#contracts/invoice-lookup.ts'
import { useHydrated } from '#web/lib/use-hydrated.ts'

/** Whether the shop asks for the e-mail address as well; the server says so in the page's head. */
export function useAsksEmail(): boolean {
  const isHydrated = useHydrated()
  return isHydrated && readLookup() === ('number-and-email' satisfies InvoiceLookup)
}

function readLookup(): string | null | undefined {
  return document.querySelector('meta[name="invoice-lookup"]')?.getAttribute('content')
}
