import { type ReactNode, useId } from 'react'

/** A block of a section's form under a title; it takes the focus after what is in it was saved or discarded. */
export function SettingsCard({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className="card settings-card" aria-labelledby={id} tabIndex={-1}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  )
}
