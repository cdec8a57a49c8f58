import type { ReactNode } from 'react'
import type { RenderedCustomerPage } from '#contracts/api/customer-pages.ts'

/**
 * The title and the `<main>` element of a customer page. `frame` selects the document around them (header, footer and
 * style sheets), by default that of the visit page.
 */
export type PageContent = {
  readonly title: string
  readonly main: ReactNode
  readonly frame?: RenderedCustomerPage['frame']
}
