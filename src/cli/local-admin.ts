import { type GraphQLError, type GraphQLSchema, execute, parse } from 'graphql'

import { newContext } from '../admin/context.ts'
import { isStale } from '../admin/incomplete.ts'
import { createAdminSchema } from '../admin/schema/index.ts'
import type { AdminServices } from '../admin/services.ts'
import { startServices } from '../admin/start-admin.ts'
import { storeErrorOf } from '../admin/store-errors.ts'
import { trackConfiguration } from '../configuration/in-use.ts'
import { GatewayError } from '../contract/errors.ts'
import { ConfigurationError } from '../contract/problems.ts'
import { newRequestId } from '../exchange/receive.ts'
import { StoreUnavailable } from '../stores/store.ts'
import { commandLine } from './audit/act.ts'
import { CommandError, type Invocation } from './command.ts'
import type { CommandConfiguration } from './command-configuration.ts'
import { type LocalGateway, openLocalGateway } from './local-gateway.ts'
import { idleServices, planGateway } from './plan.ts'
import { type AdminClient, type Answer, readAnswer } from './remote/answer.ts'
import { incompleteNotice } from './remote/incomplete-notice.ts'
import type { Operation } from './remote/operations.ts'
import { assertStorePersists, namingStore, readForStore } from './use-store.ts'

/** The schema without additions of plugins, which no command asks for. Built by the first command of a process. */
let schema: GraphQLSchema | undefined

/** How a command works on the store. */
export interface LocalOptions {
  /** The advice for a store in memory, which ends with the command. Absent: the command changes nothing. */
  readonly instead?: string
  /** Whether a configuration with problems is refused. By default the command does without what has them. */
  readonly isStrict?: boolean
}

/**
 * The admin API without a gateway: the same schema, on the store of the configuration, for the user of the machine as
 * an administrator. `work` gets it. Rejects with `ConfigurationError`, `StoreUnavailable` or `CommandError`.
 */
export async function useLocalAdmin<R>(
  invocation: Invocation,
  { instead, isStrict = false }: LocalOptions,
  work: (admin: AdminClient) => Promise<R>,
): Promise<R> {
  // Before the store is open: its deadlines do not wait for the schema.
  schema ??= createAdminSchema()
  const configuration = await readForStore(invocation)
  if (instead !== undefined) assertStorePersists(configuration, instead)
  if (isStrict) await assertSound(configuration)
  const { store } = configuration.settings
  try {
    await using resources = new AsyncDisposableStack()
    const open = async () => resources.use(await openDesk(configuration, invocation))
    let desk: Desk | undefined = await open()
    return await work({
      origin: 'the store',
      knowsAccounts: configuration.problems.length === 0,
      async request(operation, variables = {}) {
        desk ??= await open()
        const data = await desk.execute(operation, variables)
        if (!desk.createStore || !operation.isAct || !hasSucceeded(data)) return data
        // Only an act that succeeds creates a store: a mistyped directory must not become one.
        await desk.createStore()
        desk = undefined
        return data
      },
    })
  } catch (error) {
    throw namingStore(error, store)
  }
}

/** Throws `ConfigurationError` for problems, also for those that only the dialects find. */
async function assertSound(configuration: CommandConfiguration): Promise<void> {
  const { problems } = await planGateway(configuration, idleServices())
  if (problems.length > 0) throw new ConfigurationError(problems)
}

/** The schema on an open store. */
interface Desk extends AsyncDisposable, Pick<LocalGateway, 'createStore'> {
  execute<Data>(operation: Operation<Data>, variables: object): Promise<Data>
}

async function openDesk(
  configuration: CommandConfiguration,
  invocation: Invocation,
): Promise<Desk> {
  await using opening = new AsyncDisposableStack()
  const gateway = opening.use(await openTolerant(configuration, invocation))
  const { running, settings, createStore } = gateway
  const { aliases, storedAccounts, accountStates } = running
  if ([aliases, storedAccounts, accountStates].some(({ isStale }) => isStale)) throw storeAway()
  const { services } = opening.use(
    await startServices({
      running,
      settings: () => settings,
      configuration: trackConfiguration(settings, configuration).inUse,
      log: { debug() {}, info() {}, warn() {}, error() {} },
    }),
  )
  const { say } = invocation.terminal
  const sayIncomplete = incompleteNotice(say, async () => undefined)
  const opened = opening.move()
  return {
    ...(createStore && { createStore }),
    async execute(operation, variables) {
      const context = contextOf(services)
      const result = await execute({
        schema: schema!,
        document: parse(operation.document),
        variableValues: { ...variables },
        contextValue: context,
      })
      if (isStale(context)) throw storeAway()
      const { data, errors = [] } = result
      const { incomplete } = context
      const answer: Answer = { data, errors, extensions: { incomplete } }
      return await readAnswer(answer, operation, {
        say,
        sayIncomplete,
        failure: () => failureOf(errors[0]),
      })
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function contextOf(services: AdminServices) {
  const { actor: principal, ...from } = commandLine()
  const authState = async () => principal
  return newContext({ ...from, principal, authState, requestId: newRequestId(), services })
}

/**
 * Opens the gateway with all accounts of the configuration, also those that lack a secret in this environment. If the
 * configuration has problems, the accounts that no gateway can use and the plugins are left out.
 */
async function openTolerant(configuration: CommandConfiguration, invocation: Invocation) {
  const { settings, invalidAccounts } = configuration
  const invalid = invalidAccounts.map(({ setting }) => setting).filter(({ id }) => id !== '')
  const whole = { ...settings, accounts: [...settings.accounts, ...invalid] }
  const open = async (used: typeof settings) => {
    const gateway = await openLocalGateway({ ...configuration, settings: used }, invocation)
    return { ...gateway, settings: used }
  }
  try {
    return await open(whole)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    const unusable = new Set(error.problems.map(({ path }) => /^accounts\[(\d+)\]/.exec(path)?.[1]))
    const accounts = whole.accounts.filter((_one, index) => !unusable.has(String(index)))
    return await open({ ...whole, accounts, plugins: [] })
  }
}

function hasSucceeded(data: unknown): boolean {
  return Object.values(Object(data) as object).some((one) =>
    String(Object(one).__typename).endsWith('Success'),
  )
}

function storeAway(): StoreUnavailable {
  return new StoreUnavailable('The store does not answer.')
}

/** The error of a command for an error of a resolver. A defect stays as it is. */
function failureOf(error: GraphQLError | undefined): unknown {
  if (!error) return new CommandError('The operation has no answer.')
  const { message, originalError } = error
  if (!originalError) return new CommandError(message)
  if (originalError instanceof StoreUnavailable) return originalError
  const { code, message: known } = storeErrorOf(originalError) ?? {}
  if (code === 'STORE_UNAVAILABLE') return storeAway()
  if (
    known !== undefined ||
    GatewayError.isInstance(originalError) ||
    'extensions' in originalError
  )
    return new CommandError(known ?? message, { cause: originalError })
  return originalError
}
