import { nextTurn } from '../lib/turns.ts'
import { type Page, type PageArguments, sizeOf } from './connections.ts'

/** Records that one page examines, at least. Then it ends, with fewer nodes or none. */
const mostExamined = 2_000

/** The result of one read of a scan. */
export interface ScannedPart<Node> {
  readonly nodes: readonly { readonly node: Node; readonly cursor: string }[]
  /** The number of records behind it. */
  readonly examined: number
  /** Absent: nothing follows. */
  readonly next?: string
}

/** How a page scans the store: in its own order, by `Records.scan`. */
interface ScanReading<Node> {
  /** The number of records in one read where a filter skips some of them. Absent: none is skipped. */
  readonly perRead: number | undefined
  readonly read: (part: ScanRange) => Promise<ScannedPart<Node>>
}

/** The part of a scan that one read covers. */
export interface ScanRange {
  readonly cursor: string | undefined
  readonly limit: number
}

/**
 * Reads a page of a scan with bounded effort: it may be short or empty although more follows. Throws
 * `GraphQLError` for sizes from outside of 1 to 100, and the reason of the signal.
 */
export async function scanPage<Node>(
  { first, after }: PageArguments,
  { perRead, read }: ScanReading<Node>,
  signal?: AbortSignal,
): Promise<Page<Node>> {
  const size = sizeOf(first)
  const edges: { cursor: string; node: Node }[] = []
  let cursor = after ?? undefined
  let hasNextPage = false
  for (let examined = 0; ;) {
    const part = await read({ cursor, limit: perRead ?? size + 1 })
    examined += part.examined
    const room = size - edges.length
    edges.push(...part.nodes.slice(0, room))
    hasNextPage = part.next !== undefined || part.nodes.length > room
    const isFull = edges.length === size
    cursor = isFull && part.nodes.length > room ? edges.at(-1)?.cursor : part.next
    if (isFull || !hasNextPage || examined >= mostExamined) break
    // Some stores read at once, and the loop has other work.
    await nextTurn()
    signal?.throwIfAborted()
  }
  return {
    edges,
    pageInfo: {
      hasNextPage,
      hasPreviousPage: after !== undefined && after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: cursor ?? edges.at(-1)?.cursor ?? null,
    },
  }
}
