import { expect } from 'vitest'

import { type AdminGateway, type GraphAnswer, type Page, nodesOf } from './admin-gateway.ts'

/** Two keys of the configuration. */
export const twoKeys = ['mine', 'other'].map((id) => ({ id, secret: `secret-${id}` }))

/** The header by which a caller has one of them. */
export function bearerOf(key: string): { authorization: string } {
  return { authorization: `Bearer secret-${key}` }
}

/** All nodes of a list, page by page. `query` has the variables `first`, `after` and `filter`. */
export async function listAll<Node>(
  gateway: AdminGateway,
  { query, field }: { readonly query: string; readonly field: string },
  filter: object,
  first: number,
): Promise<Node[]> {
  const nodes: Node[] = []
  let after: string | null = null
  for (;;) {
    const variables = { first, after, filter }
    const answer: GraphAnswer<Record<string, Page<Node>>> = await gateway.graph(query, variables)
    // A busy machine may exceed the deadline of the store.
    if (answer.errors[0]?.extensions?.code === 'STORE_UNAVAILABLE') continue
    expect(answer.errors).toEqual([])
    const page = answer.data[field]!
    nodes.push(...nodesOf(page))
    if (!page.pageInfo.hasNextPage) return nodes
    after = page.pageInfo.endCursor
  }
}

const foreignCursors = ['', 'x', 'A'.repeat(9_000), Buffer.from('[1]').toString('base64url')]

/** Checks that a list refuses cursors from elsewhere. */
export async function refusesForeignCursors(gateway: AdminGateway, query: string): Promise<void> {
  for (const after of foreignCursors) {
    const { errors } = await gateway.graph(query, { after })
    expect(errors[0]?.extensions?.code).toBe('BAD_USER_INPUT')
  }
}
