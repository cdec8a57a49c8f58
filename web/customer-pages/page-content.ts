import type { ReactNode } from 'react'
import type { RenderedCustomerPage } from '#contracts/api/customer-pages.ts'

/** A page before it is rendered to HTML; the frame is that of the visit page unless the page names another. */
export type PageContent = {
  readonly title: string
  readonly main: ReactNode
  readonly frame?: RenderedCustomerPage['frame']
}
