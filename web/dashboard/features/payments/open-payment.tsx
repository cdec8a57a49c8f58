import { useEffect } from 'react'
import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'
import { usePanel } from '#web/dashboard/kit/navigation/use-panel.ts'

const TakePayment = lazyComponent(
  async () => (await import('./take/take-payment.tsx')).TakePayment,
  null,
)

/** 'Take payment' over any page of the dashboard, while the address names its invoice. */
export function OpenPayment() {
  const panel = usePanel()
  const id = panel.shown.pay
  // Preload the panel, so that the keys pressed right after P reach it.
  useEffect(() => TakePayment.preload(), [])
  return id ? <TakePayment key={id} id={id} onClose={() => panel.close('pay')} /> : null
}
