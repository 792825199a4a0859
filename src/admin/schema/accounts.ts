import { StoreUnavailable } from '../../stores/store.ts'
import { followedAccounts } from '../accounts/catch-up.ts'
import { findAccount, listAccounts } from '../accounts/find.ts'
import { type PlacedExclusion, statusOf } from '../accounts/status.ts'
import { accountStateNames } from '../accounts/state.ts'
import type { AccountView, CredentialInfo } from '../accounts/views.ts'
import { cutIn, silentIn } from '../processes/everywhere.ts'
import { catchUpWith } from '../read-store.ts'
import { badInput } from '../store-errors.ts'
import type { AdminBuilder } from '../builder.ts'
import type { AdminContext } from '../context.ts'
import { enumsOf } from './enums.ts'
import { complexityOfSearch, namedAfter, pageOf } from '../connections.ts'

const authScopes = { viewer: true }

/** The object `Account`, for the acts on it. */
export type AccountType = ReturnType<typeof addAccountType>

/** Adds the accounts. Returns their type. */
export function addAccounts(builder: AdminBuilder): AccountType {
  const account = addAccountType(builder)
  builder.queryField('accounts', (t) =>
    t.connection(
      {
        type: account,
        description:
          'The accounts, in the order of their ids. `extensions.stale` names the field while the store is away: then the list is what was known last.',
        authScopes,
        complexity: complexityOfSearch,
        args: { filter: t.arg({ type: addFilter(builder) }) },
        async resolve(_root, { filter, ...page }, context) {
          const { services } = context
          const wanted = filter ?? {}
          if (typeof wanted.state === 'string') {
            checkState(wanted.state)
            await noteMissingProcesses(context)
          }
          await catchUpWith(context, 'accounts', followedAccounts(services))
          return pageOf(page, idOf, (part) => listAccounts(services, { ...wanted, ...part }))
        },
      },
      ...namedAfter('Account'),
    ),
  )
  builder.queryField('account', (t) =>
    t.field({
      type: account,
      nullable: true,
      description:
        'The account of an id; null if there is none. While the store is away, `extensions.stale` names the field, or the error STORE_UNAVAILABLE says that the account is not known.',
      authScopes,
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root, { id }, context) => accountOf(context, id),
    }),
  )
  return account
}

/** The account of an id. Rejects with `StoreUnavailable` if the store cannot say whether there is one. */
async function accountOf(
  { services, stale }: AdminContext,
  id: string,
): Promise<AccountView | undefined> {
  const accounts = followedAccounts(services)
  await accounts.catchUp()
  // As of the snapshot that is searched.
  const { isStale } = accounts
  const mayExist = services.running.storedAccounts.isStale
  const found = findAccount(services, id)
  if (!found && mayExist) throw new StoreUnavailable('Accounts cannot be looked up at the moment.')
  if (found && isStale) stale.add('account')
  return found
}

function addFilter(builder: AdminBuilder) {
  return builder.inputType('AccountFilter', {
    description: 'All that are given must apply.',
    fields: (t) => ({
      provider: t.string(),
      state: t.string({ description: 'As `Account.state`.' }),
    }),
  })
}

const idOf = ({ id }: AccountView) => id

function addAccountType(builder: AdminBuilder) {
  const { managedBy } = enumsOf(builder)
  const credential = addCredential(builder)
  const exclusion = addExclusion(builder)
  return builder.objectRef<AccountView>('Account').implement({
    description: 'An upstream account. Its credential is never returned.',
    authScopes,
    fields: (t) => ({
      id: t.exposeID('id'),
      provider: t.exposeString('provider'),
      speaks: t.stringList({ resolve: ({ speaks }) => [...speaks] }),
      enabled: t.exposeBoolean('enabled'),
      state: t.string({
        description:
          'enabled, disabled, refused, cooling, circuit-open, circuit-half-open, excluded (by a plugin), or invalid: no call can use it, see `problems`. The gravest of all exclusions decides, in whichever process.',
        resolve: async (one, _args, context) => (await notedStatusOf(one, context)).state,
      }),
      stateReason: t.string({
        nullable: true,
        description: 'Why it is not enabled, in words for people.',
        resolve: async (one, _args, context) => (await notedStatusOf(one, context)).reason,
      }),
      stateUntil: t.field({
        type: 'DateTime',
        nullable: true,
        description: 'When the state ends, or the account is tried again.',
        resolve: async (one, _args, context) => (await notedStatusOf(one, context)).until,
      }),
      exclusions: t.field({
        type: [exclusion],
        description:
          'All that keeps calls, or some of them, from the account, in all processes, the gravest first; at most 200. `extensions.unanswered` names processes whose part is missing, `extensions.incomplete` those that keep calls from more accounts, or from this one for more causes, than they say.',
        resolve: async (one, _args, context) =>
          (await exclusionsOf(one, context)).slice(0, mostExclusions),
      }),
      circuits: t.field({
        type: [exclusion],
        description:
          'The exclusions that are circuits, of a dialect and a model each, or of the connections in a dialect; at most 200.',
        resolve: async (one, _args, context) =>
          (await exclusionsOf(one, context))
            .filter(({ kind }) => kind === 'circuit')
            .slice(0, mostExclusions),
      }),
      coolDowns: t.field({
        type: [exclusion],
        description: 'The exclusions that are pauses, of the account or of a model; at most 200.',
        resolve: async (one, _args, context) =>
          (await exclusionsOf(one, context))
            .filter(({ kind }) => kind === 'cooling')
            .slice(0, mostExclusions),
      }),
      inFlight: t.int({
        description:
          'How many calls it serves in all processes; those of other processes as of two seconds ago.',
        resolve: ({ id }, _args, { services }) => services.calls.inFlight(id),
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
async function notedStatusOf(
  view: AccountView,
  { services, unanswered, incomplete }: AdminContext,
) {
  const found = await statusOf(services, view)
  for (const id of found.silent) unanswered.add(id)
  for (const id of found.cut) incomplete.add(id)
  return found
}

/** What keeps calls from an account. Notes the processes that have more of it than they say. */
async function exclusionsOf(
  view: AccountView,
  context: AdminContext,
): Promise<readonly PlacedExclusion[]> {
  const { exclusions, cutLists } = await notedStatusOf(view, context)
  for (const id of cutLists) context.incomplete.add(id)
  return exclusions
}

/** Notes the processes that may know of more accounts in a state: a page may have none of them. */
async function noteMissingProcesses({
  services,
  unanswered,
  incomplete,
}: AdminContext): Promise<void> {
  const view = await services.processes.view()
  for (const id of silentIn(view)) unanswered.add(id)
  for (const id of cutIn(view, services.processes.id)) incomplete.add(id)
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

function addExclusion(builder: AdminBuilder) {
  return builder.objectRef<PlacedExclusion>('AccountExclusion').implement({
    description: 'What keeps an account from calls, or from those of a dialect, a model or a key.',
    authScopes,
    fields: (t) => ({
      processId: t.exposeID('processId', {
        nullable: true,
        description: 'The process in which it is so; null below a process.',
      }),
      by: t.exposeString('by', { description: 'The plugin.' }),
      kind: t.exposeString('kind', { description: 'circuit, refused, cooling or other.' }),
      reason: t.exposeString('reason'),
      dialect: t.exposeString('dialect', { nullable: true }),
      model: t.exposeString('model', {
        nullable: true,
        description: "By the account's own name.",
      }),
      keyId: t.exposeID('keyId', { nullable: true }),
      status: t.exposeInt('status', { nullable: true, description: 'The HTTP status behind it.' }),
      isProbing: t.boolean({ resolve: ({ isProbing }) => isProbing ?? false }),
      until: t.field({ type: 'DateTime', nullable: true, resolve: ({ untilMs }) => untilMs }),
    }),
  })
}

/** An unknown state would look like a state that no account has. */
function checkState(state: string): void {
  const names: readonly string[] = accountStateNames
  if (!names.includes(state)) throw badInput(`\`state\` is one of ${names.join(', ')}.`)
}
