import { type GraphQLSchema, getNamedType, isObjectType } from 'graphql'

import type { GatewayPlugin } from '../../contract/plugin.ts'
import { ConfigurationError, type Problem } from '../../contract/problems.ts'
import { type AdminBuilder, createBuilder } from '../builder.ts'
import { addAccountActs } from './account-acts.ts'
import { addAccountChanges } from './account-changes.ts'
import { addAccountSettings } from './account-settings.ts'
import { addAccountTransport } from './account-transport.ts'
import { addAccounts } from './accounts.ts'
import { addAdminTokens } from './admin-tokens.ts'
import { addAliases } from './aliases.ts'
import { addAudit } from './audit.ts'
import { addBindings } from './bindings.ts'
import { addCaptures } from './captures.ts'
import { addConfiguration } from './configuration.ts'
import { addExplain } from './explain.ts'
import { addJobs } from './jobs.ts'
import { addKeys } from './keys.ts'
import { addLimits } from './limits.ts'
import { addModels } from './models.ts'
import { unaudited, undecided } from './undecided.ts'
import { addExchanges } from './exchanges.ts'
import { addFailures } from './failures.ts'
import { addGateway } from './gateway.ts'
import { addLive } from './live.ts'
import { addPrices } from './prices.ts'
import { addProviders } from './providers.ts'
import { addPulse } from './pulse.ts'
import { addProcessActs } from './process-acts.ts'
import { addScalars } from './scalars.ts'
import { addSessions } from './sessions.ts'
import { addTeams } from './teams.ts'
import { addLedger } from './ledger.ts'
import { addUsage } from './usage.ts'
import { addPermittedActs, addViewer } from './viewer.ts'
import { kitOf } from '../plugin-api.ts'

/** The parts of the schema, in the order of the documentation. */
const parts: readonly ((builder: AdminBuilder) => void)[] = [
  addScalars,
  addFailures,
  addViewer,
  addAllOfAccounts,
  addAccountTransport,
  addProviders,
  addKeys,
  addTeams,
  addLimits,
  addAliases,
  addModels,
  addPrices,
  addBindings,
  addJobs,
  addAudit,
  addAdminTokens,
  addSessions,
  addExplain,
  addConfiguration,
  addGateway,
  addPulse,
  addProcessActs,
  addExchanges,
  addLedger,
  addUsage,
  addCaptures,
  addLive,
  addPermittedActs,
]

/**
 * Builds the admin schema, with what plugins add. Throws `ConfigurationError` for additions that fail, or
 * that lack an authorisation decision.
 */
export function createAdminSchema(plugins: readonly GatewayPlugin[] = []): GraphQLSchema {
  const extending = plugins.filter(({ admin }) => admin)
  const known = ownSchema()
  if (extending.length === 0) return known
  const problems = extending.flatMap((plugin) => problemsOf(plugin, known))
  if (problems.length > 0) throw new ConfigurationError(problems)
  try {
    return buildSchema(extending)
  } catch (error) {
    throw new ConfigurationError([failed(extending.map(({ name }) => name).join('`, `'), error)])
  }
}

let own: GraphQLSchema | undefined

/** The schema without additions, which is built once. */
function ownSchema(): GraphQLSchema {
  if (!own) {
    const schema = buildSchema([])
    assertDecided(schema)
    own = schema
  }
  return own
}

/** Throws for a field of the gateway's own without a decision or an audit record: nothing is open by default. */
export function assertDecided(schema: GraphQLSchema): void {
  const open = [...undecided(schema), ...unaudited(schema)]
  if (open.length > 0) throw new Error(`The admin schema decides nothing about ${open.join(', ')}.`)
}

/** The problems of one plugin's addition. */
function problemsOf(plugin: GatewayPlugin, known: GraphQLSchema): Problem[] {
  try {
    const path = `plugin "${plugin.name}"`
    const schema = buildSchema([plugin])
    return [
      ...undecided(schema, known).map((place) => ({
        path,
        message: `\`admin\` adds \`${place}\` without an authorisation decision`,
        fix: 'give it authScopes, for example authScopes: { viewer: true }',
      })),
      ...unaudited(schema, known).map((place) => ({
        path,
        message: `\`admin\` adds \`${place}\` without an audit record`,
        fix: 'add it with `act` of the kit, the second parameter of `admin`',
      })),
    ]
  } catch (error) {
    return [failed(plugin.name, error)]
  }
}

function failed(name: string, error: unknown): Problem {
  const reason = error instanceof Error ? error.message : String(error)
  return {
    path: `plugin "${name}"`,
    message: `its \`admin\` fails: ${reason}`,
    fix: 'correct the plugin, or remove its admin',
  }
}

function buildSchema(plugins: readonly GatewayPlugin[]): GraphQLSchema {
  const builder = createBuilder()
  builder.queryType({ description: 'Reads.' })
  builder.mutationType({ description: 'Acts. Each has its audit record before it is answered.' })
  for (const add of parts) add(builder)
  // The contract knows no builder: where the admin API is off, its types are not needed.
  for (const { admin } of plugins) admin?.(builder as never, kitOf(builder) as never)
  return readForwards(builder.toSchema())
}

function addAllOfAccounts(builder: AdminBuilder): void {
  const account = addAccounts(builder)
  addAccountSettings(builder, account)
  addAccountActs(builder, account)
  addAccountChanges(builder, account)
}

const backwards: ReadonlySet<string> = new Set(['before', 'last'])

/**
 * Takes the arguments that read a connection backwards out of a schema: the pages of the stores go forwards
 * only, and an argument that nothing obeys would answer with the wrong page.
 */
function readForwards(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      if (!getNamedType(field.type).name.endsWith('Connection')) continue
      field.args = field.args.filter(({ name }) => !backwards.has(name))
    }
  }
  return schema
}
