import { useQuery } from '@tanstack/react-query'

import { type Answer, type Gap, run } from './client.ts'
import type { Operation } from './operation.ts'
import { type AnswerOptions, type PageAnswer, pageAnswerOf, useRefresh } from './query.ts'

/** A list of the API in pages. */
export interface Connection<Node> {
  readonly edges: readonly { readonly node: Node }[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null }
}

/** All nodes of a list, up to the most that a page shows. */
export interface AllNodes<Node> {
  readonly nodes: readonly Node[]
  /** Whether the list goes on. */
  readonly hasMore: boolean
  /** How many requests it took. */
  readonly pages: number
}

/** A page shows so many rows at most. */
const mostRows = 1_000

/**
 * Asks for a list page by page, until it has all or 1,000 rows: lists of the gateway's memory. `connectionOf` finds the
 * list in the answer; it is null beside an error.
 */
export function useAllPages<Data, Variables extends object, Node>(
  operation: Operation<Data, Variables & { after?: string | null | undefined }>,
  variables: Variables,
  connectionOf: (data: Data) => Connection<Node> | null | undefined,
  { every, isOn = true }: AnswerOptions = {},
): PageAnswer<AllNodes<Node> & { readonly first: Data }> {
  const queryKey = [operation.name, variables]
  const query = useQuery<Answer<AllNodes<Node> & { readonly first: Data }>>({
    queryKey,
    queryFn: ({ signal }) => loadAll(operation, variables, connectionOf, signal),
    enabled: isOn,
    // A list of ten pages is asked for a tenth as often.
    ...(every !== undefined && {
      refetchInterval: ({ state: { data } }) => every * (data?.data.pages ?? 1),
    }),
  })
  return pageAnswerOf(query, useRefresh(queryKey, query.refetch))
}

async function loadAll<Data, Variables extends object, Node>(
  operation: Operation<Data, Variables & { after?: string | null | undefined }>,
  variables: Variables,
  connectionOf: (data: Data) => Connection<Node> | null | undefined,
  signal: AbortSignal,
): Promise<Answer<AllNodes<Node> & { readonly first: Data }>> {
  const nodes: Node[] = []
  const errors: Answer<Data>['errors'][number][] = []
  const gaps: Gap[] = []
  let first: Answer<Data> | undefined
  let after: string | null = null
  for (let pages = 1; ; pages++) {
    const answer: Answer<Data> = await run(operation, { ...variables, after }, { signal })
    first ??= answer
    // The list lacks what any of its pages lacks.
    addNew(errors, answer.errors)
    addNew(gaps, answer.gaps)
    const connection = connectionOf(answer.data)
    for (const { node } of connection?.edges ?? []) nodes.push(node)
    after = connection?.pageInfo.hasNextPage ? (connection.pageInfo.endCursor ?? null) : null
    if (after === null || nodes.length >= mostRows) {
      const hasMore = after !== null
      return { ...first, errors, gaps, data: { nodes, hasMore, pages, first: first.data } }
    }
  }
}

function addNew<Lack extends Gap>(all: Lack[], more: readonly Lack[]): void {
  for (const one of more) {
    const isKnown = all.some(({ field, reason }) => field === one.field && reason === one.reason)
    if (!isKnown) all.push(one)
  }
}
