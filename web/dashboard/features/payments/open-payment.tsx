import { useEffect } from 'react'
import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'
import { usePanel } from '#web/dashboard/kit/navigation/use-panel.ts'

const TakePayment = lazyComponent(
  async () => (await import('./take/take-payment.tsx')).TakePayment,
  null,
)

/**
 * Shows the panel 'Take payment' over any page of the dashboard while the URL contains the id of the invoice to pay.
 */
export function OpenPayment() {
  const panel = usePanel()
  const id = panel.shown.pay
  // Loads the code of the panel before the user opens the panel. Otherwise the panel would miss keys that the user
  // presses right after the shortcut P.
  useEffect(() => TakePayment.preload(), [])
  return id ? <TakePayment key={id} id={id} onClose={() => panel.close('pay')} /> : null
}
