import type { ReactNode } from 'react'
import type { RenderedCustomerPage } from '#contracts/api/customer-pages.ts'

/** The content of a page before it is rendered to HTML. The default is the frame of the visit page. */
export type PageContent = {
  readonly title: string
  readonly main: ReactNode
  readonly frame?: RenderedCustomerPage['frame']
}
