import { type ReactNode, useId } from 'react'

/** A titled group of fields. The card gets the focus after the user saved or discarded its fields. */
export function SettingsCard({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className="card settings-card" aria-labelledby={id} tabIndex={-1}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  )
}
