import { Client, fetchExchange } from '@urql/core'
import type { CombinedError, OperationResult, TypedDocumentNode } from '@urql/core'

export interface AdminClientOptions {
  /** Of the admin address: `http://127.0.0.1:8788`. */
  readonly url: string
  readonly token: string
  /** Replaces `fetch`, for a proxy or another certificate. */
  readonly fetch?: typeof fetch
}

/** Sends typed operations to the admin API. All of it rejects with `AdminError`. */
export interface AdminClient {
  query<Data, Variables extends object>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
  ): Promise<Data>
  mutate<Data, Variables extends object>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
  ): Promise<Data>
  /** Calls `onData` with each event until the result is disposed of, `onEnd` where the stream ends before. */
  follow<Data, Variables extends object>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
    handler: { onData(data: Data): void; onEnd(error?: AdminError): void },
  ): Disposable
}

/** The API has refused an operation, or does not answer. */
export class AdminError extends Error {
  /** `UNAUTHENTICATED`, `FORBIDDEN`, `BAD_USER_INPUT` and so on; undefined if nothing answers. */
  readonly code: string | undefined
  /** What was answered beside the error: in a document of several acts, those that are done. */
  readonly data: unknown

  constructor({ graphQLErrors: [first], message }: CombinedError, data?: unknown) {
    super(first?.message ?? message)
    this.name = 'AdminError'
    this.data = data
    const code = first?.extensions['code']
    this.code = typeof code === 'string' ? code : undefined
  }
}

/** Creates a client of the admin API. It caches nothing: an operator wants to see the present. */
export function createAdminClient({
  url,
  token,
  fetch: by = fetch,
}: AdminClientOptions): AdminClient {
  const client = new Client({
    url: `${url}/graphql`,
    exchanges: [fetchExchange],
    fetchSubscriptions: true,
    preferGetMethod: false,
    fetch: by,
    fetchOptions: { headers: { authorization: `Bearer ${token}` } },
  })
  const dataOf = <Data>({ data, error }: Pick<OperationResult<Data>, 'data' | 'error'>) => {
    if (error) throw new AdminError(error, data)
    if (data === undefined) throw new Error('The admin API has answered nothing.')
    return data
  }
  return {
    query: async (document, variables) => dataOf(await client.query(document, variables)),
    mutate: async (document, variables) => dataOf(await client.mutation(document, variables)),
    follow(document, variables, { onData, onEnd }) {
      const { unsubscribe } = client.subscription(document, variables).subscribe((result) => {
        if (result.error) return onEnd(new AdminError(result.error))
        if (result.data !== undefined) onData(result.data)
        if (!result.hasNext) onEnd()
      })
      return { [Symbol.dispose]: unsubscribe }
    },
  }
}

/** A page of a list of the admin API. */
interface Connection<Node> {
  readonly edges: readonly { readonly node: Node }[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null }
}

/** All nodes of a list. A page may be short or empty although others follow; it is null beside an error. */
export async function* nodesOf<Node>(
  load: (after: string | null) => Promise<Connection<Node> | null>,
): AsyncGenerator<Node, void, undefined> {
  let after: string | null = null
  for (;;) {
    const page: Connection<Node> | null = await load(after)
    if (page === null) throw new Error('The admin API has left out the list.')
    const { edges, pageInfo } = page
    for (const { node } of edges) yield node
    if (!pageInfo.hasNextPage) return
    after = pageInfo.endCursor ?? null
  }
}
