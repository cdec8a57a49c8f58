import { type ReactNode, useId } from 'react'

/** A section of the Today page. `aside` is shown at the end of its heading. */
export function TodayCard(props: {
  title: string
  count?: number | undefined
  aside?: ReactNode
  children: ReactNode
}) {
  const { title, count, aside, children } = props
  const id = useId()
  return (
    <section className="card today-card" aria-labelledby={id}>
      <header>
        <h3 id={id}>
          {title} {count !== undefined && <span className="count">({count})</span>}
        </h3>
        {aside}
      </header>
      {children}
    </section>
  )
}
