import type { ReactNode } from 'react'
import type { RenderedCustomerPage } from '#contracts/api/customer-pages.ts'

/**
 * The title and the `<main>` element of a customer page. `frame` selects the document around the content (header,
 * footer and style sheets); the default is the frame of the visit page.
 */
export type PageContent = {
  readonly title: string
  readonly main: ReactNode
  readonly frame?: RenderedCustomerPage['frame']
}
