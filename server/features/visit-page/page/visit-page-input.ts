import type { ShopFacts } from '#domain/shop/shop.ts'
import type { RepairStatus } from '../read-repair-status.ts'
import type { VisitPageData } from '../read-visit-page.ts'
import type { Done } from './notices.ts'

/** What the page is made of; `path` is its own, `notice` what the last deed came to. */
export type VisitPageInput = {
  readonly shop: ShopFacts
  readonly booking: VisitPageData
  readonly path: string
  /** What is done on the car, where the page tells it. */
  readonly work?: RepairStatus | undefined
  readonly notice?: string | undefined
  readonly done?: Done | undefined
}
