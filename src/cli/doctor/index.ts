import type { Invocation } from '../command.ts'
import type { CommandConfiguration } from '../command-configuration.ts'
import { programName } from '../hints.ts'
import { alignColumns } from '../table.ts'
import { readWorkers } from '../workers.ts'
import { checkAccounts } from './accounts.ts'
import { checkClock } from './clock.ts'
import { type ConfigurationReport, checkConfiguration } from './configuration.ts'
import { checkDirectories } from './disk.ts'
import { type Finding, runCheck } from './finding.ts'
import { checkFiles, checkMemory, checkNode, checkShutdown } from './machine.ts'
import { checkPorts } from './ports.ts'
import { checkProxies } from './proxy.ts'
import { checkStore } from './store.ts'
import { checkTelemetry } from './telemetry.ts'
import { checkWrittenFiles } from './written-files.ts'

/** How long the parts of the checks may take, in milliseconds. */
const longest = {
  configuration: 15_000,
  local: 5_000,
  ports: 10_000,
  store: 15_000,
  accounts: 60_000,
  proxies: 15_000,
}

/**
 * `dragoman doctor`: looks for what would keep a gateway from serving here. It changes nothing, makes only
 * free calls, and ends: each check has a deadline. 1 if a check fails.
 */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const findings: Finding[] = []
  const isJson = options['json'] !== undefined
  for (const part of startChecks(invocation)) {
    const found = await part
    findings.push(...found)
    if (!isJson) for (const one of found) terminal.out(linesOf(one))
  }
  const count = (status: Finding['status']) =>
    findings.filter((one) => one.status === status).length
  const failed = count('FAIL')
  if (isJson) terminal.out(JSON.stringify(findings.map(shown), null, 2))
  terminal.say(`${count('OK')} in order, ${count('WARN')} to look at, ${failed} failed.`)
  if (failed > 0) terminal.say(`\`${programName()} check\` shows the configuration as a whole.`)
  return failed > 0 ? 1 : 0
}

/** Starts all checks. They run side by side, except for those that need what another finds. */
function startChecks(invocation: Invocation): Promise<readonly Finding[]>[] {
  const { env } = invocation.terminal
  const workers = readWorkers(invocation.options, env)
  const reading = Promise.withResolvers<ConfigurationReport>()
  const configured = runCheck(
    { name: 'configuration', longestMs: longest.configuration },
    async () => {
      const report = await checkConfiguration(invocation)
      reading.resolve(report)
      return report.findings
    },
  )
  void configured.then((findings) => reading.resolve({ findings }))
  const each = (name: string, longestMs: number, work: Work) =>
    configured.then(async () => {
      const { configuration } = await reading.promise
      return configuration ? runCheck({ name, longestMs }, () => work(configuration)) : []
    })

  const ports = remember(({ settings }: CommandConfiguration) => checkPorts(settings))
  const portFindings = each(
    'ports',
    longest.ports,
    async (configuration) => (await ports(configuration)).findings,
  )
  const directories = each('directories', longest.local, async (configuration) => [
    ...(await checkDirectories(configuration)),
    ...(await checkWrittenFiles(configuration.settings)),
  ])
  // Without a valid configuration the variables alone say where telemetry goes.
  const telemetry = configured.then(async () => {
    const { configuration } = await reading.promise
    return await runCheck({ name: 'telemetry', longestMs: longest.local }, () =>
      checkTelemetry(env, configuration?.settings.telemetry),
    )
  })
  // A locked database blocks this process for seconds, in which the deadlines of others would pass.
  const isQuiet = Promise.all([portFindings, directories, telemetry])
  const stored = remember(checkStore)
  const hasStore = hasNoFailure(
    isQuiet.then(() =>
      each('store', longest.store, async (configuration) => (await stored(configuration)).findings),
    ),
  )
  const asked = remember(async (configuration: CommandConfiguration) =>
    checkAccounts(configuration, invocation, await hasStore.isSound),
  )
  const accounts = hasStore.findings.then(() =>
    each(
      'accounts',
      longest.accounts,
      async (configuration) => (await asked(configuration)).findings,
    ),
  )
  const proxies = hasStore.isSound.then((isSound) =>
    each('proxies', longest.proxies, async (configuration) => {
      const { isServing } = await ports(configuration)
      return [await checkProxies(configuration, { hasStore: isSound, isServing })]
    }),
  )
  const clock = accounts.then(() =>
    each('clock', longest.local, async (configuration) => {
      const ofStore = (await stored(configuration)).clock
      const { clocks, findings } = await asked(configuration)
      const isLocal = /^(?:file|memory):/.test(configuration.settings.store)
      const isAlone = isLocal && findings.every(({ status }) => status === 'OK')
      return [checkClock([...(ofStore ? [ofStore] : []), ...clocks], isAlone)]
    }),
  )
  return [
    Promise.resolve([checkNode()]),
    runCheck({ name: 'open files', longestMs: longest.local }, async () => [checkFiles()]),
    configured,
    each('memory', longest.local, async ({ settings }) => [checkMemory(settings, { workers })]),
    each('shutdown', longest.local, async ({ settings }) => [checkShutdown(settings, env)]),
    portFindings,
    directories,
    hasStore.findings,
    accounts,
    telemetry,
    proxies,
    clock,
  ]
}

type Work = (configuration: CommandConfiguration) => Promise<readonly Finding[]>

/** Runs `work` once, for all who need its result. */
function remember<T>(
  work: (configuration: CommandConfiguration) => Promise<T>,
): (configuration: CommandConfiguration) => Promise<T> {
  let result: Promise<T> | undefined
  return (configuration) => (result ??= work(configuration))
}

function hasNoFailure(findings: Promise<readonly Finding[]>) {
  const isSound = findings.then((all) => all.every(({ status }) => status !== 'FAIL'))
  return { findings, isSound }
}

function linesOf({ check, status, message, fix }: Finding): string {
  const [line = ''] = alignColumns([[status.padEnd(4), check.padEnd(15), message]])
  return fix === undefined ? line : `${line}\n      ${alignColumns([[`fix: ${fix}`]])[0]}`
}

/** The same members in each, for programs. */
function shown({ check, status, message, fix }: Finding) {
  return { check, status, message, fix: fix ?? null }
}
