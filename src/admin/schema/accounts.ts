import type { GraphQLResolveInfo } from 'graphql'

import { clientNamesOf } from '../../accounts/availability.ts'
import type { AccountExclusion, CircuitFailure } from '../../contract/call.ts'
import { computedOnce } from '../../lib/computed-once.ts'
import { StoreUnavailable } from '../../stores/store.ts'
import { followedAccounts } from '../accounts/catch-up.ts'
import { allStates, asksForStates, findAccount, listAccounts } from '../accounts/find.ts'
import { type PlacedExclusion, statusOf } from '../accounts/status.ts'
import { type AccountState, accountStates, servings } from '../accounts/state.ts'
import type { AccountView, CredentialInfo } from '../accounts/views.ts'
import { standsBy } from '../models.ts'
import { noteMissingProcesses, noteStale } from '../incomplete.ts'
import type { PlacedAccount } from '../processes/cluster-view.ts'
import { type CallSums, addCalls, noCalls } from '../processes/recent-calls.ts'
import { percentile } from '../../history/series.ts'
import { catchUpWith } from '../read-store.ts'
import type { AdminBuilder } from '../builder.ts'
import type { AdminContext } from '../context.ts'
import { enumsOf } from './enums.ts'
import { complexityOfSearch, pageOf } from '../connections.ts'
import { addCounts, countEach } from './counts.ts'
import { edgesOf } from './edges.ts'

const authScopes = { viewer: true }

/** The object `Account`, for the acts on it. */
export type AccountType = ReturnType<typeof addAccountType>

/** Adds the accounts. Returns their type. */
export function addAccounts(builder: AdminBuilder): AccountType {
  const account = addAccountType(builder)
  const connection = builder.connectionObject(
    { type: account, name: 'AccountConnection' },
    {
      name: 'AccountEdge',
    },
  )
  addCounts(builder, {
    noun: 'Account',
    connection,
    state: accountEnums(builder).state,
    count: async ({ services }) => countEach((await allStates(services)).map((one) => one.state)),
  })
  const { serves } = accountEnums(builder)
  const serving = builder
    .objectRef<{ serves: AccountState['serves']; count: number }>('AccountServesCount')
    .implement({
      description: 'How many accounts serve all, some or nothing.',
      authScopes,
      fields: (t) => ({
        serves: t.expose('serves', { type: serves }),
        count: t.exposeInt('count'),
      }),
    })
  builder.objectFields(connection, (t) => ({
    countsByServes: t.field({
      type: [serving],
      description: 'How many serve all, some and nothing, whatever the filter.',
      complexity: { field: 3, multiplier: 1 },
      async resolve(_page, _args, { services }) {
        const counts = countEach((await allStates(services)).map((one) => one.serves))
        return servings.map((one) => ({ serves: one, count: counts.get(one) ?? 0 }))
      },
    }),
  }))
  builder.queryField('accounts', (t) =>
    t.connection(
      {
        type: account,
        description:
          'The accounts, in the order of their ids. `extensions.incomplete` names the field while the store is away: then the list is what was known last.',
        authScopes,
        complexity: complexityOfSearch,
        args: { filter: t.arg({ type: addFilter(builder) }) },
        async resolve(_root, { filter, ...page }, context, info) {
          const { services } = context
          const wanted = filter ?? {}
          if (asksForStates(wanted)) {
            const { missing } = await services.processes.cluster()
            noteMissingProcesses(context, info, missing)
          }
          await catchUpWith(context, 'accounts', followedAccounts(services))
          return pageOf(page, idOf, (part) => listAccounts(services, { ...wanted, ...part }))
        },
      },
      connection,
    ),
  )
  builder.queryField('account', (t) =>
    t.field({
      type: account,
      nullable: true,
      description:
        'The account of an id; null for an unknown id. While the store is away, `extensions.incomplete` names the field, or the error STORE_UNAVAILABLE says that the account is not known.',
      authScopes,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, context) => accountOf(context, id),
    }),
  )
  return account
}

/** The account of an id. Rejects with `StoreUnavailable` if the store cannot say whether there is one. */
async function accountOf(context: AdminContext, id: string): Promise<AccountView | undefined> {
  const { services } = context
  const accounts = followedAccounts(services)
  await accounts.catchUp()
  // As of the snapshot that is searched.
  const { isStale } = accounts
  const mayExist = services.running.storedAccounts.isStale
  const found = findAccount(services, id)
  if (!found && mayExist) throw new StoreUnavailable('Accounts cannot be looked up at the moment.')
  if (found && isStale) noteStale(context, 'account')
  return found
}

/** The enums of accounts. The first call adds them to the schema. */
const accountEnums = computedOnce((builder: AdminBuilder) => ({
  state: builder.enumType('AccountState', {
    description:
      'REFUSED: its credential, or it has no credit. COOLING: it has asked for a pause, or its credential cannot be fetched at the moment. CIRCUIT_HALF_OPEN: one call at a time tries it. EXCLUDED: by a plugin. FULL: at its most calls at once. INVALID: no call can use it, see `problems`.',
    values: accountStates,
  }),
  serves: builder.enumType('AccountServes', {
    description:
      'SOME: an exclusion concerns some of its models, dialects or keys, or lets one call at a time pass. A full account serves all that it can.',
    values: servings,
  }),
  kind: builder.enumType('ExclusionKind', {
    description:
      'REFUSED: by the account. COOLING: the account has asked for a pause, or its credential cannot be fetched at the moment. OTHER: a limit of calls at once, or a plugin, see `by`.',
    values: {
      CIRCUIT: { value: 'circuit' },
      REFUSED: { value: 'refused' },
      COOLING: { value: 'cooling' },
      OTHER: { value: 'other' },
    } as const,
  }),
}))

function addFilter(builder: AdminBuilder) {
  const { state, serves } = accountEnums(builder)
  return builder.inputType('AccountFilter', {
    description: 'All that are given must apply.',
    fields: (t) => ({
      provider: t.string(),
      state: t.field({ type: state }),
      serves: t.field({ type: serves }),
      inTrouble: t.boolean({
        description: 'Whether they do not serve all of their calls, without being disabled.',
      }),
    }),
  })
}

const idOf = ({ id }: AccountView) => id

function addAccountType(builder: AdminBuilder) {
  const { managedBy } = enumsOf(builder)
  const { state, serves } = accountEnums(builder)
  const credential = addCredential(builder)
  const exclusion = addExclusion(builder)
  const inProcess = addInProcess(builder, exclusion)
  const recent = addRecent(builder)
  return builder.objectRef<AccountView>('Account').implement({
    description: 'An upstream account. Its credential is never returned.',
    authScopes,
    fields: (t) => ({
      id: t.exposeID('id'),
      provider: t.exposeString('provider'),
      speaks: t.stringList({ resolve: ({ speaks }) => [...speaks] }),
      enabled: t.exposeBoolean('enabled'),
      state: t.field({
        type: state,
        description:
          'What concerns the whole account, in the process where it is worst. ENABLED with `serves: SOME`: see `exclusions`.',
        resolve: async (one, _args, context, info) =>
          (await notedStatusOf(one, context, info)).state,
      }),
      serves: t.field({
        type: serves,
        description:
          'Which of its calls it serves, in the process where it is worst; of another process, by its ten gravest exclusions.',
        resolve: async (one, _args, context, info) =>
          (await notedStatusOf(one, context, info)).serves,
      }),
      standsBy: t.boolean({
        nullable: true,
        description:
          'Whether it is free, and others are asked before it for each of its models, by priority and weight. null: not known, since it has a pattern, or a strategy chooses.',
        resolve: ({ account: one }, _args, { services }) => one && standsBy(services, one),
      }),
      stateReason: t.string({
        nullable: true,
        description: 'Why it does not serve all, in words for people.',
        resolve: async (one, _args, context, info) =>
          (await notedStatusOf(one, context, info)).reason,
      }),
      stateUntil: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'When that ends or is tried again.',
        resolve: async (one, _args, context, info) =>
          (await notedStatusOf(one, context, info)).until,
      }),
      exclusions: t.field({
        type: [exclusion],
        description:
          'All that keeps calls, or some of them, from the account, in all processes, the gravest first; at most 200. Each process names its ten gravest; `extensions.incomplete` names processes whose part is missing.',
        resolve: async (one, _args, context, info) =>
          (await notedStatusOf(one, context, info)).exclusions.slice(0, mostExclusions),
      }),
      circuits: t.field({
        type: [exclusion],
        description:
          'The exclusions that are circuits, of a dialect and a model each, or of the connections in a dialect; at most 200.',
        resolve: async (one, _args, context, info) =>
          (await notedStatusOf(one, context, info)).exclusions
            .filter(({ kind }) => kind === 'circuit')
            .slice(0, mostExclusions),
      }),
      coolDowns: t.field({
        type: [exclusion],
        description: 'The exclusions that are pauses, of the account or of a model; at most 200.',
        resolve: async (one, _args, context, info) =>
          (await notedStatusOf(one, context, info)).exclusions
            .filter(({ kind }) => kind === 'cooling')
            .slice(0, mostExclusions),
      }),
      processes: t.field({
        type: [inProcess],
        description: 'The processes in which it is in use or in trouble.',
        // A number alone would count ten of them.
        complexity: { field: 3, multiplier: 1 },
        async resolve({ id }, _args, context, info) {
          const { accountIn, missing } = await context.services.processes.cluster()
          noteMissingProcesses(context, info, missing)
          return [...accountIn(id)]
        },
      }),
      inFlight: t.int({
        description:
          'How many calls it serves in all processes; the answers of other processes are shared for half a second.',
        resolve: ({ id }, _args, { services }) => services.calls.inFlight(id),
      }),
      recentCalls: t.field({
        type: recent,
        description:
          'Its calls of the last five minutes, in all processes; of another process only if the account is among its 200 that are in trouble or called most.',
        async resolve({ id }, _args, context, info) {
          const { processes } = context.services
          const { accountIn, missing } = await processes.cluster()
          noteMissingProcesses(context, info, missing)
          return accountIn(id)
            .filter(({ processId }) => processId !== processes.id)
            .reduce(
              (sums, one) => addCalls(sums, one.recent ?? noCalls),
              processes.monitor.recentCalls(id),
            )
        },
      }),
      managedBy: t.expose('managedBy', { type: managedBy }),
      version: t.exposeInt('version', {
        nullable: true,
        description: 'For `expectedVersion`. Null for an account of the file.',
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime', nullable: true }),
      changedAt: t.expose('changedAt', { type: 'DateTime', nullable: true }),
      baseUrl: t.exposeString('baseUrl', {
        nullable: true,
        description: 'A path of more than a version may be secret: `/...` stands for it.',
      }),
      baseUrls: t.field({
        type: 'JSON',
        nullable: true,
        description: 'The base URLs of dialects that have another than `baseUrl`, by dialect.',
        resolve: (one) => one.baseUrls,
      }),
      models: t.stringList({
        description: 'Names and patterns of its models, as clients name them.',
        resolve: ({ models }) => (Array.isArray(models) ? [...models] : Object.keys(models)),
      }),
      modelMap: t.field({
        type: 'JSON',
        nullable: true,
        description: "Its own names by the names of `models`. Null: its names are the clients'.",
        resolve: ({ models }) => (Array.isArray(models) ? undefined : models),
      }),
      credential: t.field({ type: credential, resolve: (one) => one.credential }),
      problems: t.field({
        type: ['Problem'],
        description:
          'Why its record is not used: the account stays as it was, or no call can use it. Also an id that the file has too.',
        resolve: ({ problems }) => problems.slice(0, mostExclusions),
      }),
    }),
  })
}

/** The status of an account. Notes the processes whose part is missing. */
async function notedStatusOf(view: AccountView, context: AdminContext, info: GraphQLResolveInfo) {
  const status = await statusOf(context.services, view)
  noteMissingProcesses(context, info, status.missing)
  return status
}

/** The longest lists of an account. */
const mostExclusions = 200

function addCredential(builder: AdminBuilder) {
  const source = builder.enumType('CredentialSource', {
    description: 'STORE: sealed in the store. CONFIGURATION: the text of the configuration file.',
    values: ['ENV', 'FILE', 'STORE', 'CONFIGURATION'] as const,
  })
  return builder.objectRef<CredentialInfo>('Credential').implement({
    description: 'What is known of a credential. No field returns it.',
    authScopes,
    fields: (t) => ({
      isSet: t.exposeBoolean('isSet'),
      source: t.expose('source', { type: source, nullable: true }),
      hint: t.exposeString('hint', {
        nullable: true,
        description: 'Its last four characters, if it has 20 or more.',
      }),
      changedAt: t.expose('changedAt', {
        type: 'DateTime',
        nullable: true,
        description: 'When the API has set it.',
      }),
    }),
  })
}

function addRecent(builder: AdminBuilder) {
  return builder.objectRef<CallSums>('RecentCalls').implement({
    description:
      'The requests to an account in the last four to five minutes. Times are to the first byte of the reply, as if spread evenly between the bounds of a histogram.',
    authScopes,
    fields: (t) => ({
      calls: t.expose('calls', { type: 'Count' }),
      failures: t.expose('failures', {
        type: 'Count',
        description: 'The calls whose failure the account caused.',
      }),
      p50Ms: t.float({
        nullable: true,
        description: 'The median. null: no call had a reply.',
        resolve: ({ times }) => percentile(times, 0.5),
      }),
      p95Ms: t.float({
        nullable: true,
        description: 'null: no call had a reply.',
        resolve: ({ times }) => percentile(times, 0.95),
      }),
    }),
  })
}

function addInProcess(builder: AdminBuilder, exclusion: ReturnType<typeof addExclusion>) {
  return builder.objectRef<PlacedAccount>('AccountInProcess').implement({
    description: 'An account as one process knows it.',
    authScopes,
    fields: (t) => ({
      processId: t.exposeID('processId'),
      inFlight: t.expose('inFlight', { type: 'Count' }),
      calls: t.expose('calls', { type: 'Count' }),
      failures: t.expose('failures', { type: 'Count' }),
      exclusions: t.field({
        type: [exclusion],
        description: 'What keeps it out of all calls or of some, the gravest first, at most 10.',
        // Without `processId`: the object has the id of its process.
        resolve: ({ exclusions }) => exclusions as readonly AccountExclusion[] as PlacedExclusion[],
      }),
    }),
  })
}

function addExclusion(builder: AdminBuilder) {
  const failure = builder.objectRef<CircuitFailure>('CircuitFailure').implement({
    description: 'A failed call behind an open circuit.',
    authScopes,
    fields: (t) => ({
      at: t.field({ type: 'DateTime', resolve: ({ atMs }) => atMs }),
      cause: t.exposeString('cause', { description: 'Such as `answered 500`.' }),
      exchangeId: t.exposeID('exchangeId', { description: 'The value of `x-request-id`.' }),
    }),
  })
  return builder.objectRef<PlacedExclusion>('AccountExclusion').implement({
    description:
      'An exclusion: it keeps an account from all calls, or from the calls of a dialect, a model or a key.',
    authScopes,
    fields: (t) => ({
      processId: t.exposeID('processId', {
        nullable: true,
        description: 'The process in which it is so; null below a process.',
      }),
      by: t.exposeString('by', { description: 'The plugin.' }),
      kind: t.expose('kind', { type: accountEnums(builder).kind }),
      reason: t.exposeString('reason'),
      dialect: t.exposeString('dialect', { nullable: true }),
      model: t.exposeString('model', {
        nullable: true,
        description: "By the account's own name.",
      }),
      models: t.stringList({
        description: 'The names by which clients get that model from the account; at most 20.',
        resolve({ account: id, model }, _args, { services }) {
          const account = model === undefined ? undefined : findAccount(services, id)?.account
          return account ? clientNamesOf(account, model!) : []
        },
      }),
      keyId: t.exposeID('keyId', { nullable: true }),
      ...edgesOf(t, { key: ({ keyId }) => keyId }),
      status: t.exposeInt('status', { nullable: true, description: 'The HTTP status behind it.' }),
      isProbing: t.boolean({ resolve: ({ isProbing }) => isProbing ?? false }),
      isPartial: t.boolean({
        description:
          'Whether it concerns only some of these calls: calls with images or files, or with directives to a sandbox.',
        resolve: ({ isPartial }) => isPartial ?? false,
      }),
      failures: t.field({
        type: [failure],
        description: 'The last failed calls behind a circuit, the newest first; at most 3.',
        resolve: ({ failures = [] }) => failures.slice(0, 3),
      }),
      until: t.field({ type: 'DateTime', nullable: true, resolve: ({ untilMs }) => untilMs }),
    }),
  })
}
