/** The lists of the admin API, and what the pages of each are. */

import { accountCount, accountId, pausedCount, sharedModel } from './accounts.ts'
import { counts } from './records.ts'

/** A field of the admin API that is measured. */
export interface List {
  readonly name: string
  /** The field with its arguments, and those of a page as `PAGE`. */
  readonly field: string
  /** Of a node, or of the field itself if it has no pages. */
  readonly selection: string
  /** The nodes of a page. Absent: the field has no pages. */
  readonly size?: number
  /** The nodes of all pages. Absent: its middle is not looked for. */
  readonly nodes?: number
  /** It does much for one answer, whose time has no limit of this bench; only the event loop counts. */
  readonly isLong?: boolean
}

const account = `id provider speaks enabled state stateReason inFlight managedBy version
  models priority credential { isSet }`
const wholeAccount = `${account} stateUntil createdAt changedAt baseUrl modelMap weight
  exclusions { processId by kind reason model until } circuits { by dialect } coolDowns { model until }
  problems { path message } processes { processId inFlight calls failures }`
const binding = 'recordId id kind keyId accountId model isStored chainUntil expiresAt createdAt'
const job = 'id kind state accountId keyId model progress createdAt'
const key = 'id state managedBy models createdAt lastUsedAt version'
const exchange = 'id processId startedAt ageMs keyId dialect model accountId bytesOut'

const explained = `operation resolvedModel rule pinned candidates { accountId native dialect chance }
  candidatesOmitted excluded { accountId by reason } excludedOmitted chosen { accountId }
  losses { field } answer { status code message }`

function explain(name: string, dialect: string, body: string): List {
  return {
    name: `explain, ${name}`,
    field: `explain(input: {keyId: "test", dialect: "${dialect}", model: "${sharedModel}", body: ${body}})`,
    selection: explained,
  }
}

const middleAccount = accountId(accountCount / 2)

/** Lists of accounts, which are measured for accounts of the configuration and of the store. */
export const accountLists: readonly List[] = [
  { name: 'accounts', field: 'accounts(PAGE)', selection: account, size: 100, nodes: accountCount },
  { name: 'accounts, whole', field: 'accounts(PAGE)', selection: wholeAccount, size: 20 },
  {
    name: 'accounts of a provider',
    field: 'accounts(PAGE, filter: {provider: "anthropic"})',
    selection: account,
    size: 100,
    nodes: accountCount / 2,
  },
  {
    name: 'accounts of a state',
    field: 'accounts(PAGE, filter: {state: COOLING})',
    selection: account,
    size: 100,
  },
  {
    name: 'accounts of no state',
    field: 'accounts(PAGE, filter: {state: REFUSED})',
    selection: account,
    size: 100,
  },
  { name: 'account', field: `account(id: "${middleAccount}")`, selection: wholeAccount },
  {
    name: 'models',
    field: 'models(PAGE)',
    selection: 'name kind model served accounts(first: 2) { edges { node { accountId enabled } } }',
    size: 100,
    nodes: accountCount + counts.aliases,
  },
  {
    name: 'models, accounts of one',
    field: `models(PAGE, filter: {search: "${sharedModel}"})`,
    selection: `name accounts(first: 100) { edges { node { accountId upstreamModel native translated } } }`,
    size: 1,
  },
  {
    name: 'configuration',
    field: 'configuration',
    selection: 'hash settings(section: "accounts", skip: 50000) { path value origin }',
  },
  { name: 'configuration, count', field: 'configuration', selection: 'hash settingsCount' },
  explain('10,000 candidates', 'chat', '{messages: [{role: "user", content: "Hi"}]}'),
  {
    ...explain(
      'none of 10,000 can',
      'generate',
      '{contents: [{role: "user", parts: [{text: "Hi"}]}], tools: [{googleMaps: {}}]}',
    ),
    isLong: true,
  },
]

/** The other lists. */
export const otherLists: readonly List[] = [
  { name: 'aliases', field: 'aliases', selection: 'name model managedBy version changedAt' },
  { name: 'keys', field: 'keys(PAGE)', selection: key, size: 100, nodes: counts.keys },
  {
    name: 'keys of a state',
    field: 'keys(PAGE, filter: {state: REVOKED})',
    selection: key,
    size: 100,
  },
  {
    name: 'bindings',
    field: 'bindings(PAGE)',
    selection: binding,
    size: 100,
    nodes: counts.bindings,
  },
  {
    name: 'bindings of a key',
    field: 'bindings(PAGE, filter: {keyId: "key-7"})',
    selection: binding,
    size: 100,
  },
  {
    name: 'bindings of no account',
    field: 'bindings(PAGE, filter: {accountId: "none"})',
    selection: binding,
    size: 100,
  },
  {
    name: 'binding',
    field: `binding(keyId: "key-7", id: "resp_${String(7).padStart(48, '0')}")`,
    selection: 'state binding { accountId model } answers { use dialect status code }',
  },
  { name: 'jobs', field: 'jobs(PAGE)', selection: job, size: 100, nodes: counts.jobs },
  {
    name: 'jobs of no state',
    field: 'jobs(PAGE, filter: {state: FAILED})',
    selection: job,
    size: 100,
  },
  { name: 'job', field: 'job(id: "none")', selection: 'id' },
  { name: 'exchanges', field: 'exchanges', selection: exchange },
  {
    name: 'recent',
    field: 'recent(PAGE)',
    selection: 'id startedAt durationMs keyId model accountId status end error bytesOut',
    size: 100,
    nodes: pausedCount,
  },
  {
    name: 'audit',
    field: 'audit(PAGE)',
    selection: 'id at action actor { id role } target { type id } result reason seal',
    size: 100,
    nodes: counts.audit,
  },
  {
    name: 'audit of no actor',
    field: 'audit(PAGE, filter: {actor: "none"})',
    selection: 'id at action',
    size: 100,
  },
  {
    name: 'gateway, processes',
    field: 'gateway',
    selection: `processesComplete processes { id version inFlight loopLagMs moreAccounts
      accounts { id inFlight calls failures exclusions { kind reason until } } }`,
  },
  { name: 'pulse', field: 'pulse', selection: 'at calls failures firstOutputP95 inFlight' },
  {
    name: 'sessions',
    field: 'sessions(PAGE)',
    selection: 'id principalId role beganAt usedAt address agent',
    size: 100,
    nodes: counts.sessions,
  },
  {
    name: 'adminTokens',
    field: 'adminTokens(PAGE)',
    selection: 'id origin state role createdAt expiresAt lastUsedAt',
    size: 100,
    nodes: counts.adminTokens,
  },
]
