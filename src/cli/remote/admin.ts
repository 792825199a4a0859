import { CommandError, type Invocation } from '../command.ts'
import { programName } from '../hints.ts'
import type { LocalOptions } from '../local-admin.ts'
import type { ListPage } from '../print-list.ts'
import { isRemote } from './address.ts'
import type { AdminClient } from './answer.ts'
import { adminClientOf } from './client.ts'
import { quoted } from './failures.ts'
import type { Act, List } from './operations.ts'

/**
 * Does `work` with the admin API of the gateway that `--url` or `DRAGOMAN_ADMIN_URL` names, else with the same API on
 * the store of the configuration.
 */
export async function useAdmin<R>(
  invocation: Invocation,
  local: LocalOptions,
  work: (admin: AdminClient) => Promise<R>,
): Promise<R> {
  if (isRemote(invocation)) return await work(adminClientOf(invocation))
  // A command that asks a gateway does not wait for GraphQL.
  const { useLocalAdmin } = await import('../local-admin.ts')
  return await useLocalAdmin(invocation, local, work)
}

/** Reads a list page by page, at most `limit` nodes. */
export async function* readPages<Node>(
  client: Pick<AdminClient, 'origin' | 'request'>,
  list: List<Node>,
  {
    filter,
    arguments: others = filter && { filter },
    limit,
  }: { readonly filter?: object; readonly arguments?: object; readonly limit: number },
): AsyncGenerator<ListPage<Node>> {
  let after: string | null = null
  for (let left = limit; left > 0;) {
    const first = Math.min(list.pageSize, left)
    const variables = { first, after, ...others }
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

/** The result of a mutation: its success, or why nothing happened. */
interface Result {
  readonly __typename?: string
  readonly message?: string
  readonly fix?: string
  readonly problems?: readonly { readonly path: string; readonly fix: string }[]
}

/** Does an act. Rejects with `CommandError` and the gateway's reason if it does not happen. */
export async function doAct<Success>(
  client: Pick<AdminClient, 'request'>,
  act: Act<Success>,
  input: object,
): Promise<Success> {
  const data = await client.request(act, { input })
  const result = Object(data[act.name]) as Result
  if (result.__typename?.endsWith('Success')) return result as Success
  throw new CommandError(reasonOf(result, act.listedBy))
}

function reasonOf(
  { __typename, message, fix, problems = [] }: Result,
  listedBy: string | undefined,
): string {
  const fixes = problems.map((one) => `\n  ${quoted(one.path)}: ${quoted(one.fix)}`)
  const way = fix === undefined ? '' : ` Fix: ${quoted(fix)}.`
  const hint =
    __typename === 'NotFound' && listedBy !== undefined
      ? ` \`${programName()} ${listedBy}\` shows all.`
      : ''
  return `${quoted(message ?? 'The gateway does not say what became of the act.')}${way}${hint}${fixes.join('')}`
}
