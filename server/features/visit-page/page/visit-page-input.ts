import type { ShopFacts } from '#domain/shop/shop.ts'
import type { RepairStatus } from '../read-repair-status.ts'
import type { VisitPageData } from '../read-visit-page.ts'
import type { Done } from './notices.ts'

/** The input of the visit page; `path` is its own path, `notice` the result of the last action. */
export type VisitPageInput = {
  readonly shop: ShopFacts
  readonly booking: VisitPageData
  readonly path: string
  /** The repair of the vehicle, where the page shows it. */
  readonly work?: RepairStatus | undefined
  readonly notice?: string | undefined
  readonly done?: Done | undefined
}
