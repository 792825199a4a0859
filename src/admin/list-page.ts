import { nextTurn } from '../lib/turns.ts'
import type { ListedNode } from './listed-node.ts'
import { type Page, type PageArguments, sizeOf } from './connections.ts'

/** The most entries that one page of a filtered list reads. */
const mostRead = 2_000

/** The entries that a filtered list reads at once. */
const batchSize = 200

/** How a page reads a list in the order of its ids, by `Records.list`, and the nodes of it that it shows. */
interface ListReading<Node> {
  /** Reads the entries behind the cursor `after`: fewer than `limit` only at the end of the list. */
  readonly list: (part: {
    after: string | undefined
    limit: number
  }) => Promise<readonly ListedNode<Node>[]>
  /** Absent: all. */
  readonly matches?: ((node: Node) => boolean) | undefined
}

/**
 * Reads one page of a list with a filter, and at most 2,000 entries: where few match, a page is shorter than
 * asked for, or empty, and its `endCursor` leads on. Throws `GraphQLError` as `sizeOf` does, and the reason
 * of the signal.
 */
export async function listPage<Node>(
  { first, after }: PageArguments,
  { list, matches }: ListReading<Node>,
  signal?: AbortSignal,
): Promise<Page<Node>> {
  const size = sizeOf(first)
  const found: { cursor: string; node: Node }[] = []
  const limit = matches ? batchSize : size + 1
  let last = after ?? undefined
  let read = 0
  let isEnd = false
  while (!isEnd && found.length <= size && read < mostRead) {
    const entries = await list({ after: last, limit })
    for (const { cursor, node } of entries) {
      if (node !== undefined && (matches?.(node) ?? true)) found.push({ cursor, node })
    }
    read += entries.length
    last = entries.at(-1)?.cursor ?? last
    isEnd = entries.length < limit
    // Some stores read at once, and the loop has other work.
    await nextTurn()
    signal?.throwIfAborted()
  }
  const edges = found.slice(0, size)
  const isFull = found.length > size
  return {
    edges,
    pageInfo: {
      hasNextPage: isFull || !isEnd,
      hasPreviousPage: after !== undefined && after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: (isFull || isEnd ? edges.at(-1)?.cursor : last) ?? null,
    },
  }
}
