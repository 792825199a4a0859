import { CommandError } from '../command.ts'
import type { ListPage } from '../print-list.ts'
import type { AdminClient } from './client.ts'
import type { List } from './operations.ts'

/** Reads a list of a running gateway page by page, at most `limit` nodes. */
export async function* readPages<Node>(
  client: AdminClient,
  list: List<Node>,
  { filter, limit }: { readonly filter?: object; readonly limit: number },
): AsyncGenerator<ListPage<Node>> {
  let after: string | null = null
  for (let left = limit; left > 0;) {
    const first = Math.min(list.pageSize, left)
    const variables = { first, after, ...(filter && { filter }) }
    const data: Pages<Node> = await client.request(list, variables)
    const { edges, pageInfo } = data[list.field]!
    const { hasNextPage, endCursor } = pageInfo
    left -= edges.length
    yield { nodes: edges.map(({ node }) => node), isLast: !hasNextPage }
    if (!hasNextPage) return
    // Such a list would never end.
    if (endCursor === null || endCursor === after) {
      throw new CommandError(`The list of ${client.origin} does not go on.`)
    }
    after = endCursor
  }
}

type Pages<Node> = NonNullable<List<Node>['data']>
