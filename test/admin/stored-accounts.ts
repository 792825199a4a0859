import { randomBytes } from 'node:crypto'

import { type AdminGateway, type GraphAnswer, type Page, nodesOf } from './admin-gateway.ts'

/** A text for `DRAGOMAN_SECRET_KEY`. */
export function newSecretKey(): string {
  return randomBytes(32).toString('base64')
}

/** The fields of an account that these tests read. */
export interface ShownAccount {
  readonly id: string
  readonly provider: string
  readonly enabled: boolean
  readonly state: string
  readonly serves: string
  readonly stateReason: string | null
  readonly stateUntil: string | null
  readonly managedBy: string
  readonly version: number | null
  readonly baseUrl: string | null
  readonly models: string[]
  readonly modelMap: unknown
  readonly weight: number | null
  readonly priority: number | null
  readonly credential: {
    readonly isSet: boolean
    readonly source: string | null
    readonly hint: string | null
    readonly changedAt: string | null
  }
  readonly circuits: { readonly dialect: string | null; readonly keyId: string | null }[]
  readonly coolDowns: { readonly model: string | null; readonly until: string | null }[]
  readonly problems: { readonly path: string; readonly message: string; readonly fix: string }[]
}

const shown = `id provider speaks enabled state serves stateReason stateUntil managedBy version createdAt
  changedAt baseUrl models modelMap weight priority inFlight
  credential { isSet source hint changedAt } circuits { by dialect keyId until isProbing }
  coolDowns { model until status } exclusions { kind reason } problems { path message fix }`

const failures = `... on NotFound { message } ... on Conflict { message }
  ... on ManagedByFile { message fix } ... on Invalid { message problems { path message fix } }
  ... on StoreUnavailable { message }`

/** What an act answers: the account, or why it did not happen. */
export interface Acted {
  readonly __typename: string
  readonly account?: ShownAccount
  readonly message?: string
  readonly fix?: string
  readonly problems?: { readonly path: string; readonly message: string; readonly fix: string }[]
  readonly ended?: number
  readonly outcome?: string
}

type Name =
  | 'createAccount'
  | 'updateAccount'
  | 'deleteAccount'
  | 'enableAccount'
  | 'disableAccount'
  | 'resetCircuit'
  | 'clearCoolDown'
  | 'testAccount'

const more: Partial<Record<Name, string>> = {
  deleteAccount: 'id',
  resetCircuit: `ended account { ${shown} }`,
  clearCoolDown: `ended account { ${shown} }`,
  testAccount: `outcome dialect account { ${shown} }`,
}

/** Sends an act as an admin, and returns the whole answer. */
export function send(
  gateway: AdminGateway,
  name: Name,
  input: object,
  role: 'viewer' | 'operator' | 'admin' = 'admin',
): Promise<GraphAnswer<Record<string, Acted> | null>> {
  const title = `${name[0]!.toUpperCase()}${name.slice(1)}`
  const query = `mutation ($input: ${title}Input!) { ${name}(input: $input) { __typename
    ... on ${title}Success { ${more[name] ?? `account { ${shown} }`} } ${failures} } }`
  return gateway.graph(query, { input }, role)
}

/** Sends an act as an admin. Throws if it has errors. */
export async function act(gateway: AdminGateway, name: Name, input: object): Promise<Acted> {
  const { data, errors } = await send(gateway, name, input)
  if (errors.length > 0) throw new Error(JSON.stringify(errors))
  return data![name]!
}

/** The accounts, as a viewer sees them. */
export async function accountsOf(gateway: AdminGateway, filter = ''): Promise<ShownAccount[]> {
  const query = `{ accounts(first: 40, filter: {${filter}}) { edges { node { ${shown} } } } }`
  const { data, errors } = await gateway.graph<{ accounts: Page<ShownAccount> }>(
    query,
    {},
    'viewer',
  )
  if (errors.length > 0) throw new Error(JSON.stringify(errors))
  return nodesOf(data.accounts)
}

/** One account, as a viewer sees it. */
export async function accountOf(gateway: AdminGateway, id: string): Promise<ShownAccount> {
  const query = `query ($id: ID!) { account(id: $id) { ${shown} } }`
  const { data } = await gateway.graph<{ account: ShownAccount }>(query, { id }, 'viewer')
  return data.account
}

/** Asks a model through the gateway. Returns the status. */
export async function ask({ url, key }: AdminGateway, model = 'm'): Promise<number> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
  })
  await response.arrayBuffer()
  return response.status
}
