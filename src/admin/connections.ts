import { GraphQLError } from 'graphql'

import { lowerBound } from '../lib/lower-bound.ts'
import { nextTurn } from '../lib/turns.ts'
import { InvalidCursor } from '../stores/store.ts'
import { largestPage, usualPage } from './builder.ts'

/** The arguments of a connection that only goes forward. */
export interface PageArguments {
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
}

/** A page of a connection. */
export interface Page<Node> {
  readonly edges: { readonly cursor: string; readonly node: Node }[]
  readonly pageInfo: {
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
    readonly startCursor: string | null
    readonly endCursor: string | null
  }
}

/**
 * Reads one page: asks `list` for one more than the page has, so that no count is needed. Throws
 * `GraphQLError` for sizes from outside of 1 to 100.
 */
export async function pageOf<Node>(
  { first, after }: PageArguments,
  cursorOf: (node: Node) => string,
  list: (page: {
    after: string | undefined
    limit: number
  }) => Promise<readonly Node[]> | readonly Node[],
): Promise<Page<Node>> {
  const limit = sizeOf(first)
  // An operation may ask for several long lists, and the loop has other work.
  await nextTurn()
  const found = await list({ after: after ?? undefined, limit: limit + 1 })
  const edges = found.slice(0, limit).map((node) => ({ cursor: cursorOf(node), node }))
  return {
    edges,
    pageInfo: {
      hasNextPage: found.length > limit,
      hasPreviousPage: after !== undefined && after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  }
}

/** Checks the cursor of a page. Throws `InvalidCursor` unless it has the form of the list's cursors. */
export function checkCursor({ after }: PageArguments, form: RegExp): void {
  if (typeof after === 'string' && !form.test(after)) throw new InvalidCursor()
}

/** The names of a connection and of its edges, derived from the name of its nodes. */
export function namedAfter(node: string): [{ name: string }, { name: string }] {
  return [{ name: `${node}Connection` }, { name: `${node}Edge` }]
}

/** The complexity of a connection: the number of nodes of its page. */
export function complexityOfPage({ first }: PageArguments): { field: number; multiplier: number } {
  return { field: 1, multiplier: first ?? usualPage }
}

/** The complexity of a connection that reads up to 2,000 records for a page, however few nodes the page has. */
export function complexityOfWalk(page: PageArguments): { field: number; multiplier: number } {
  return { ...complexityOfPage(page), field: effortOfWalk }
}

/** The complexity of a connection that searches a list in memory, which may be long. */
export function complexityOfSearch(page: PageArguments): { field: number; multiplier: number } {
  return { ...complexityOfPage(page), field: 50 }
}

/** The complexity of a walk through the store: an operation may have 20. */
export const effortOfWalk = 100

/** The size of a page. Throws `GraphQLError`. */
export function sizeOf(first: number | null | undefined): number {
  const size = first ?? usualPage
  if (size >= 1 && size <= largestPage) return size
  throw new GraphQLError(`\`first\` is from 1 to ${largestPage}.`, {
    extensions: { code: 'BAD_USER_INPUT' },
  })
}

/** The part of a list in memory that a page shows. The list is in the order of its cursors. */
export function sliceAfter<Node>(
  all: readonly Node[],
  cursorOf: (node: Node) => string,
  { after, limit }: { after: string | undefined; limit: number },
): readonly Node[] {
  const start =
    after === undefined ? 0 : lowerBound(all.length, (index) => cursorOf(all[index]!) > after)
  return all.slice(start, start + limit)
}
