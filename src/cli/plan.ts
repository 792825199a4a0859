import type { PipelineServices } from '../runtime/pipeline.ts'
import { noLines } from '../lib/log.ts'
import { run } from '../lib/turns.ts'
import { compileSnapshot } from '../accounts/compile.ts'
import { createStoredPart } from '../accounts/stored.ts'
import type { ReadAccount } from '../configuration/stored-accounts.ts'
import type { Snapshot } from '../contract/candidate.ts'
import { checkNamesIn } from '../hooks/check-plugins.ts'
import { ConfigurationError, type Problem } from '../contract/problems.ts'
import type { CheckedConfiguration } from '../configuration/resolve.ts'
import { hasClients } from '../contract/dialect.ts'
import { type GatewayPlugin, type OfferedDialects, dialectsOf } from '../contract/plugin.ts'
import { type Route, createRouter } from '../exchange/routes.ts'
import { openMemoryStore } from '../stores/memory.ts'

/** The parts of the gateway that a configuration describes, and all of its problems. */
export interface Plan {
  plugins: readonly GatewayPlugin[]
  routes: readonly Route[]
  snapshot: Snapshot
  problems: readonly Problem[]
}

/** The services that the shipped plugins need besides the configuration. */
type Services = Omit<PipelineServices, 'plugins' | 'imageModels' | 'passthrough'>

/** Builds the shipped pipeline and compiles the accounts of a configuration, without serving. */
export async function planGateway(
  checked: CheckedConfiguration,
  services: Services,
): Promise<Plan> {
  const { settings, accountPaths } = checked
  const { default: pipeline } = await import('../../config/gateway.config.ts')
  const plugins = pipeline({
    ...services,
    imageModels: settings.imageModels,
    passthrough: settings.passthrough,
    uploads: {
      settings: settings.uploads,
      ...services.uploads,
    },
    plugins: settings.plugins,
  })
  const dialects = dialectsOf(plugins)
  const extending = settings.plugins.filter(({ admin }) => admin)
  const compiled = compileSnapshot(settings.accounts, settings.aliases, dialects)
  return {
    plugins,
    routes: createRouter(dialects.filter(hasClients)).routes,
    snapshot: compiled.snapshot,
    problems: [
      ...checked.problems,
      ...compiled.problems.map((each) => relocate(each, accountPaths)),
      ...problemsOfInvalidAccounts(checked, dialects),
      ...checkNamesIn(plugins, checked.plugins),
      ...(extending.length > 0 ? await problemsOfAdmin(extending) : []),
    ],
  }
}

/** Adds the accounts of the store to a plan and its configuration, and their problems. */
export function addStoredAccounts<Checked extends CheckedConfiguration>(
  checked: Checked,
  plan: Plan,
  stored: readonly ReadAccount[],
): { configuration: Checked; plan: Plan } {
  if (stored.length === 0) return { configuration: checked, plan }
  const { settings, invalidAccounts } = checked
  const dialects = dialectsOf(plan.plugins)
  const taken = [...settings.accounts, ...invalidAccounts.map(({ setting }) => setting)]
  const ids = new Set(taken.map(({ id }) => id))
  const part = run(createStoredPart(dialects)({ accounts: stored, mayKeep: () => false }, ids))
  const accounts = [...settings.accounts, ...part.settings]
  return {
    configuration: {
      ...checked,
      settings: { ...settings, accounts },
      accountPaths: [...checked.accountPaths, ...part.settings.map(({ id }) => `accounts.${id}`)],
    },
    plan: {
      ...plan,
      snapshot: compileSnapshot(accounts, settings.aliases, dialects).snapshot,
      problems: [...plan.problems, ...[...part.problems.values()].flat()],
    },
  }
}

/** The admin API is loaded only if plugins add to it. */
async function problemsOfAdmin(plugins: readonly GatewayPlugin[]): Promise<readonly Problem[]> {
  const { createAdminSchema } = await import('../admin/schema/index.ts')
  try {
    createAdminSchema(plugins)
    return []
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
    throw error
  }
}

/**
 * The problems that only the dialects find in accounts that are invalid already, without a second
 * problem for the same path.
 */
function problemsOfInvalidAccounts(
  { problems, invalidAccounts }: CheckedConfiguration,
  dialects: OfferedDialects,
): Problem[] {
  const settings = invalidAccounts.map(({ setting }) => setting)
  const paths = invalidAccounts.map(({ path }) => path)
  return compileSnapshot(settings, {}, dialects)
    .problems.map((each) => relocate(each, paths))
    .filter(({ path }) => !problems.some((known) => known.path === path))
}

/** Services for checking a configuration: they open no store and write no log. */
export function idleServices(): Services {
  return {
    store: openMemoryStore(),
    keys: { find: () => undefined },
    log: { debug() {}, info() {}, warn() {}, error() {} },
    lines: noLines,
    health: { draining: false, inflight: () => 0, accounts: () => 0 },
  }
}

// Invalid accounts are not compiled, so an index of a compiled account differs from the file's.
function relocate(problem: Problem, accountPaths: readonly string[]): Problem {
  const path = problem.path.replace(
    /^accounts\[(\d+)\]/,
    (whole, index) => accountPaths[Number(index)] ?? whole,
  )
  return { ...problem, path }
}
