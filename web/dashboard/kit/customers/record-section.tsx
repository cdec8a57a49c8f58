import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { DashboardLink } from '#web/dashboard/kit/navigation/links.ts'
import { Badge, type BadgeTone } from '#web/ui/badge/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'

const shownAtFirst = 5

/** A table row for one record of a customer. */
export type RecordRow = {
  readonly id: string
  /** The text of the row's link, and the page that the link opens. */
  readonly name: string
  readonly link: DashboardLink
  /** The text of the second column: the vehicle or the date. */
  readonly about: string
  readonly what: string
  readonly amount?: string
  readonly state: { readonly tone: BadgeTone; readonly label: string }
}

type Props = {
  title: string
  /** The headings of the first two columns. */
  heads: readonly [string, string]
  rows: readonly RecordRow[]
  /** The text that replaces an empty table. */
  empty: string
  sum?: ReactNode
}

/**
 * A table of a customer's records of one kind, such as invoices, latest first. The table shows five rows; a button
 * shows the others.
 */
export function RecordSection({ title, heads, rows, empty, sum }: Props) {
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll ? rows : rows.slice(0, shownAtFirst)
  const hasAmounts = rows.some(({ amount }) => amount !== undefined)
  return (
    <section className="card customer-section">
      <header>
        <h3>
          {title} <span className="count">({rows.length})</span>
        </h3>
        {sum}
      </header>
      {rows.length === 0 ? (
        <p className="customer-none">{empty}</p>
      ) : (
        <table className="customer-table">
          <caption className="visually-hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{heads[0]}</th>
              <th scope="col">{heads[1]}</th>
              <th scope="col">What</th>
              {hasAmounts && (
                <th scope="col" className="customer-amount">
                  Amount
                </th>
              )}
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.id}>
                <td>
                  <Link {...row.link}>{row.name}</Link>
                </td>
                <td className="customer-about">{row.about}</td>
                <td className="customer-what">{row.what}</td>
                {hasAmounts && <td className="customer-amount">{row.amount}</td>}
                <td className="customer-state">
                  <Badge tone={row.state.tone}>{row.state.label}</Badge>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {rows.length > shown.length && (
        <Button compact level="quiet" className="customer-more" onClick={() => setShowsAll(true)}>
          Show all {rows.length}
        </Button>
      )}
    </section>
  )
}
