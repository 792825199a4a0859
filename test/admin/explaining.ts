import { type AdminGateway, type AdminGatewayOptions, startAdminGateway } from './admin-gateway.ts'
import type { AccountConfig } from '../../src/configuration/config.generated.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts'

/** The input of `explain`. */
export interface Asked {
  readonly dialect: string
  readonly keyId?: string
  readonly operation?: string
  readonly id?: string
  readonly model?: string
  readonly previousResponseId?: string
  readonly body?: unknown
  readonly headers?: readonly { readonly name: string; readonly value: string }[]
}

/** An answer of `explain`. */
export interface Explained {
  readonly operation: string | null
  readonly resolvedModel: string | null
  readonly rule: string | null
  readonly pinned: boolean
  readonly moves: boolean
  readonly candidates: { accountId: string; native: boolean; dialect: string; chance: number }[]
  readonly excluded: { accountId: string; by: string; reason: string; field: string | null }[]
  readonly chosen: { accountId: string; native: boolean } | null
  readonly losses: { field: string; reason: string }[]
  readonly answer: { status: number; code: string | null; message: string | null } | null
}

const query = `query ($input: ExplainInput!) { explain(input: $input) {
  operation resolvedModel rule pinned moves
  candidates { accountId native dialect chance } excluded { accountId by reason field }
  chosen { accountId native } losses { field reason } answer { status code message param body } } }`

/** Asks how a request would be served, as a viewer. Throws for errors of the query. */
export async function explain(gateway: AdminGateway, input: Asked): Promise<Explained> {
  const answer = await tryExplain(gateway, input)
  if (answer.errors.length > 0) throw new Error(JSON.stringify(answer.errors))
  return answer.data.explain
}

/** Like `explain`, with the errors of the query. */
export function tryExplain(gateway: AdminGateway, asked: Asked) {
  const input = { keyId: 'test', ...asked }
  return gateway.graph<{ explain: Explained }>(query, { input }, 'viewer')
}

/** A gateway before sandbox accounts, each with the dialects that it speaks. */
export interface Scene extends AsyncDisposable {
  readonly gateway: AdminGateway
  readonly sandbox: Sandbox
}

/** An account of a scene. */
export interface SceneAccount {
  readonly speaks: readonly string[]
  readonly priority?: number
  readonly weight?: number
  readonly enabled?: boolean
  readonly models?: AccountConfig['models']
}

/** Starts a gateway whose key may read `x-dragoman-route`. */
export async function startScene(
  accounts: Readonly<Record<string, SceneAccount>>,
  options: AdminGatewayOptions = {},
): Promise<Scene> {
  await using opening = new AsyncDisposableStack()
  const sandbox = opening.use(await startSandbox())
  const gateway = opening.use(
    await startAdminGateway({
      keys: [{ id: 'test', secret: 'test-secret', explain: true }],
      ...options,
      accounts: Object.entries(accounts).map(([id, account]) => ({
        id,
        provider: 'sandbox',
        baseUrl: sandbox.url,
        apiKey: 'sandbox-key-a',
        models: ['sandbox/*'],
        ...account,
      })),
    }),
  )
  const opened = opening.move()
  return { gateway, sandbox, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** A client's request. */
export interface Request {
  readonly path: string
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

/** Where a request really goes. */
export interface Served {
  readonly status: number
  readonly account: string | null
  readonly losses: readonly string[]
  readonly route: {
    readonly rule: string | null
    readonly account: string | null
    readonly excluded: readonly {
      readonly account: string
      readonly by: string
      readonly reason: string
    }[]
  }
  readonly json: {
    readonly id?: string
    readonly error?: { readonly code?: unknown; readonly message: string }
  }
}

/** Sends a request to the gateway, and reads its reply to the end. */
export async function send(
  { url, key }: AdminGateway,
  { path, body, headers }: Request,
): Promise<Served> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${key}`,
      'x-dragoman-explain': '1',
      ...headers,
    },
    body: JSON.stringify(body),
  })
  const listed = response.headers.get('x-dragoman-losses')
  return {
    status: response.status,
    account: response.headers.get('x-dragoman-account'),
    losses: listed === null ? [] : listed.split(', '),
    route: JSON.parse(response.headers.get('x-dragoman-route') ?? 'null') as Served['route'],
    json: (await response.json()) as Served['json'],
  }
}
