import { Refusal } from '../response/refusal.ts'
import type { Node } from './ast.ts'

/** Restricts the page that `limit` and `offset` request to the rows that a header such as `Range: 0-9` names. */
export function withinRange(node: Node, header: string | undefined): Node {
  const found = /^(?:items=)?(\d{1,15})-(\d{1,15})?$/.exec(header ?? '')
  if (!found) return node
  const first = Number(found[1])
  const last = found[2] === undefined ? Infinity : Number(found[2])
  if (first > last) {
    throw outOfRange(
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    )
  }
  const offset = Math.max(first, node.offset ?? 0)
  const end = Math.min(last + 1, (node.offset ?? 0) + (node.limit ?? Infinity))
  const limit = end === Infinity ? undefined : Math.max(0, end - offset)
  return { ...node, offset, limit }
}

/**
 * Returns the error PGRST103: the bounds of the requested page are invalid, or the offset exceeds the number of rows.
 */
export function outOfRange(details: string, headers: Record<string, string> = {}): Refusal {
  return new Refusal(416, 'PGRST103', 'Requested range not satisfiable', { details, headers })
}
