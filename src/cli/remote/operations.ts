import type { Role } from '../../contract/roles.ts'
import type {
  AccountNode,
  AdminTokenNode,
  BindingLookupNode,
  BindingNode,
  ExplanationNode,
  JobNode,
  KeyNode,
  LimitNode,
  LiveNode,
  PriceNode,
  TeamNode,
  TestNode,
  UsageRowNode,
} from './nodes.ts'

/** An operation of the admin API. `Data` is what it asks for; a test compares the documents with the schema. */
export interface Operation<Data> {
  readonly document: string
  /** The least role that may do it. */
  readonly role: Role
  /** Whether it changes something. */
  readonly isAct: boolean
  /** Only for the type. */
  readonly data?: Data
}

/** A mutation, with the name of its field. */
export interface Act<Success> extends Operation<Readonly<Record<string, unknown>>> {
  readonly name: string
  /** The command that lists what the act can be about. */
  readonly listedBy: string | undefined
  /** Only for the type. */
  readonly success?: Success
}

/** A connection, read page by page. */
export interface List<Node> extends Operation<Readonly<Record<string, Page<Node>>>> {
  /** The field of `Query`. */
  readonly field: string
  /** The largest page whose work the gateway permits. */
  readonly pageSize: number
}

/** A page of a connection. */
interface Page<Node> {
  readonly edges: readonly { readonly node: Node }[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

const account = `id provider state serves stateReason stateUntil inFlight managedBy
  problems { path message }
  processes { processId exclusions { kind by reason dialect model keyId status isProbing until } }`
const key =
  'id state stateReason models team labels { name value } explain losses errors expiresAt createdAt rotatedAt graceUntil managedBy'
const team = 'id name models managedBy'
const limit =
  'id kind window amount extra { amount until } spent held remaining resetsAt action managedBy'
const price =
  'model accountId provider origin checkedAt isFree from rates { input output cacheRead }'
const adminToken = 'id state role origin createdBy expiresAt createdAt lastUsedAt revokedAt'
const binding = 'id kind keyId accountId upstreamId model isStored chainUntil createdAt expiresAt'
const lookup = `state reason binding { ${binding} }
  answers @include(if: $answers) { use dialect status code message accountId }`
const job = `id kind state progress keyId accountId upstreamId dialect model error { code message }
  createdAt completedAt expiresAt`

/** The lists. */
export const lists = {
  accounts: list<AccountNode>('accounts', account, { filter: 'AccountFilter', pageSize: 50 }),
  keys: list<KeyNode>('keys', key, { filter: 'KeyFilter', pageSize: 80 }),
  teams: list<TeamNode>('teams', team),
  prices: list<PriceNode>('prices', price, {
    arguments: { provider: 'String', unpriced: 'Boolean' },
  }),
  adminTokens: list<AdminTokenNode>('adminTokens', adminToken),
  bindings: list<BindingNode>('bindings', binding, { filter: 'BindingFilter' }),
  jobs: list<JobNode>('jobs', job, { filter: 'JobFilter', pageSize: 80 }),
}

/** The reads of one thing. */
export const queries = {
  binding: query<{
    binding: BindingLookupNode
  }>(`query Binding($keyId: ID!, $id: String!, $kind: String, $answers: Boolean!) {
    binding(keyId: $keyId, id: $id, kind: $kind) { ${lookup} }
  }`),
  bindingOfAnyKey: {
    ...query<{
      binding: BindingLookupNode
    }>(`query BindingOfAnyKey($id: String!, $kind: String, $answers: Boolean!) {
      binding(id: $id, kind: $kind) { ${lookup} otherKeyIds }
    }`),
    role: 'admin',
  } satisfies Operation<{ binding: BindingLookupNode }>,
  bindingKind: query<{
    binding: Pick<BindingLookupNode, 'state' | 'reason' | 'kind'>
  }>(`query BindingKind($keyId: ID!, $id: String!) {
    binding(keyId: $keyId, id: $id) { state reason kind }
  }`),
  limits: query<{
    limits: readonly LimitNode[]
  }>(`query Limits($subject: LimitSubjectInput, $first: Int, $after: ID) {
    limits(subject: $subject, first: $first, after: $after) { ${limit} }
  }`),
  job: query<{ job: JobNode | null }>(`query Job($id: ID!, $keyId: ID) {
    job(id: $id, keyId: $keyId) { ${job} }
  }`),
  usage: query<{
    usage: { readonly rows: readonly UsageRowNode[]; readonly totals: UsageRowNode }
  }>(`query Usage($from: DateTime!, $to: DateTime!, $by: [UsageDimension!], $filter: UsageFilter) {
    usage(from: $from, to: $to, by: $by, filter: $filter) { rows { ...usage } totals { ...usage } }
  }
  fragment usage on UsageRow { key team model account start calls failures inputTokens outputTokens
    cost unpricedCalls estimatedCalls }`),
  store: query<StoreAnswer>(`query Store {
    gateway { store { reachable } }
    configuration { settings(section: "store") { path value } }
  }`),
  explain: query<{ explain: ExplanationNode }>(`query Explain($input: ExplainInput!) {
    explain(input: $input) {
      processId operation resolvedModel rule pinned moves
      fallbacks { model next on error excluded { accountId by reason field status until } }
      candidates { ...candidate } candidatesOmitted
      excluded { accountId by reason field status until } excludedOmitted
      chosen { ...candidate }
      losses { field reason }
      answer { status code message param }
    }
  }
  fragment candidate on RouteCandidate { accountId native dialect upstreamModel chance why
    elsewhere { processId kind by reason dialect model keyId status isProbing until } }`),
}

/** The answer to `queries.store`, of a gateway that may be of another version. */
export interface StoreAnswer {
  readonly gateway?: { readonly store?: { readonly reachable?: unknown } }
  readonly configuration?: {
    readonly settings?: readonly { readonly path: string; readonly value: unknown }[]
  }
}

/** The lists by the ends of the names of acts. */
const listCommands = {
  Account: 'accounts list',
  AdminToken: 'admin-tokens list',
  Key: 'keys list',
  Job: 'jobs list',
  Limit: 'limits list',
  Price: 'prices list',
  Extra: 'limits list',
  Team: 'teams list',
}

/** The acts. */
export const acts = {
  disableAccount: act<{ account: AccountNode | null; running: number | null }>(
    'disableAccount',
    'operator',
    `account { ${account} } running`,
  ),
  enableAccount: act<{ account: AccountNode | null }>(
    'enableAccount',
    'operator',
    `account { ${account} }`,
  ),
  resetCircuit: act<Readmitted>('resetCircuit', 'operator', `account { ${account} } ended`),
  clearCoolDown: act<Readmitted>('clearCoolDown', 'operator', `account { ${account} } ended`),
  // Failures have a `message` of another type.
  testAccount: act<TestNode>(
    'testAccount',
    'operator',
    'outcome dialect why: message remedy durationMs',
  ),
  createKey: act<Issued>('createKey', 'admin', `key { ${key} } secret`),
  rotateKey: act<Issued>('rotateKey', 'admin', `key { ${key} } secret`),
  updateKey: act<{ key: KeyNode | null }>('updateKey', 'admin', `key { ${key} }`),
  disableKey: act<{ key: KeyNode | null }>('disableKey', 'operator', `key { ${key} }`),
  enableKey: act<{ key: KeyNode | null }>('enableKey', 'operator', `key { ${key} }`),
  revokeKey: act<{ key: KeyNode | null }>('revokeKey', 'admin', `key { ${key} }`),
  createTeam: act<{ team: TeamNode | null }>('createTeam', 'admin', `team { ${team} }`),
  deleteTeam: act<{ id: string }>('deleteTeam', 'admin', 'id'),
  setLimit: act<{
    limit: LimitNode | null
    warnings: readonly string[]
    dryRun: boolean
  }>('setLimit', 'admin', `limit { ${limit} } warnings dryRun`),
  setPrice: act<{
    price: PriceNode | null
    warnings: readonly string[]
    dryRun: boolean
  }>('setPrice', 'admin', `price { ${price} } warnings dryRun`),
  removePrice: act<{ model: string }>('removePrice', 'admin', 'model'),
  removeLimit: act<{ id: string }>('removeLimit', 'admin', 'id'),
  resetLimit: act<{ limit: LimitNode | null }>('resetLimit', 'admin', `limit { ${limit} }`),
  grantExtra: act<{ limit: LimitNode | null }>('grantExtra', 'admin', `limit { ${limit} }`),
  createAdminToken: act<{ token: AdminTokenNode | null; secret: string }>(
    'createAdminToken',
    'admin',
    `token { ${adminToken} } secret`,
  ),
  revokeAdminToken: act<{ token: AdminTokenNode | null }>(
    'revokeAdminToken',
    'admin',
    `token { ${adminToken} }`,
  ),
  forgetBinding: act<{ id: string }>('forgetBinding', 'operator', 'id'),
  refreshJob: act<{ job: JobNode | null; stale: boolean }>(
    'refreshJob',
    'operator',
    `job { ${job} } stale`,
  ),
  forgetJob: act<{ id: string }>('forgetJob', 'operator', 'id'),
}

/**
 * An account after an act that ends some of what keeps it out. Null, as in the other acts: the act is done, but
 * the gateway cannot say what became of the account.
 */
interface Readmitted {
  readonly account: AccountNode | null
  readonly ended: number
}

/** A key with its new secret. */
interface Issued {
  readonly key: KeyNode | null
  readonly secret: string
}

const exchange =
  'id processId keyId dialect operation model accountId stream startedAt firstOutputMs bytesIn bytesOut'

/** All that happens, by topics. */
export const live: Operation<{ live: LiveNode }> = {
  role: 'viewer',
  isAct: false,
  document: `subscription Tail($topics: [LiveTopic!]!, $filter: LiveFilter) {
    live(topics: $topics, filter: $filter) {
      type: __typename
      ... on PulseSample { at processes inFlight calls failures clientErrors firstOutputP50 firstOutputP95 }
      ... on ExchangeBegan { exchange { ${exchange} attemptCount ageMs } }
      ... on ExchangeChanged { exchange { ${exchange} attemptCount ageMs } }
      ... on ExchangeEnded {
        exchange {
          ${exchange} attemptCount status end error endedAt durationMs inputTokens outputTokens cost jobId
          attempts { accountId dialect status error fault outcome }
        }
      }
      ... on AccountChanged {
        processId accountId enabled
        exclusions { kind by reason dialect model keyId status isProbing until }
      }
      ... on CircuitChanged { processId accountId dialect circuit }
      ... on JobChanged { processId jobId kind accountId keyId state error }
      ... on ConfigurationChanged { processId hash loadedAt problems { path message fix } }
      ... on AuditRecorded {
        processId
        entry {
          id at action result actor { kind id role } target { type id } address reason message requestId
        }
      }
      ... on Missed { count reason }
    }
  }`,
}

function list<Node>(
  field: string,
  selects: string,
  {
    filter,
    arguments: others = filter === undefined ? {} : { filter },
    pageSize = 100,
  }: {
    filter?: string
    /** The types of its other arguments. */
    arguments?: Readonly<Record<string, string>>
    pageSize?: number
  } = {},
): List<Node> {
  const names = Object.entries(others)
  const declared = names.map(([name, type]) => `, $${name}: ${type}`).join('')
  const passed = names.map(([name]) => `, ${name}: $${name}`).join('')
  return {
    field,
    pageSize,
    role: 'viewer',
    isAct: false,
    document: `query List($first: Int, $after: String${declared}) {
    ${field}(first: $first, after: $after${passed}) {
      edges { node { ${selects} } }
      pageInfo { hasNextPage endCursor }
    }
  }`,
  }
}

function query<Data>(document: string): Operation<Data> {
  return { document, role: 'viewer', isAct: false }
}

function act<Success>(name: string, role: Role, selects: string): Act<Success> {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}`
  const document = `mutation Act($input: ${type}Input!) {
    ${name}(input: $input) {
      __typename
      ... on ${type}Success { ${selects} }
      ... on NotFound { message }
      ... on Conflict { message }
      ... on ManagedByFile { message fix }
      ... on Invalid { message problems { path message fix } }
      ... on StoreUnavailable { message }
    }
  }`
  const [, listedBy] = Object.entries(listCommands).find(([end]) => name.endsWith(end)) ?? []
  return { name, role, document, isAct: true, listedBy }
}
