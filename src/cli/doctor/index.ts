import type { Invocation } from '../command.ts'
import type { CommandConfiguration } from '../command-configuration.ts'
import { programName } from '../hints.ts'
import { alignColumns } from '../table.ts'
import { readWorkers } from '../workers.ts'
import { checkAccounts } from './accounts.ts'
import { type ClockReading, checkClock } from './clock.ts'
import { checkConfiguration } from './configuration.ts'
import { checkDirectories } from './disk.ts'
import { type Finding, runCheck } from './finding.ts'
import { checkFiles, checkMemory, checkNode, checkShutdown } from './machine.ts'
import { checkPorts } from './ports.ts'
import { checkProxies } from './proxy.ts'
import { checkStore } from './store.ts'
import { checkTelemetry } from './telemetry.ts'
import { checkWrittenFiles } from './written-files.ts'

/** The machine and the command, and what the checks have found so far. */
interface Examination {
  readonly invocation: Invocation
  readonly workers: number
  /** The findings of each check that has run. */
  readonly found: Map<string, readonly Finding[]>
  readonly clocks: ClockReading[]
  /** Absent: it cannot be read. */
  configuration?: CommandConfiguration | undefined
  /** Whether a gateway listens on the address of the API. */
  isServing?: boolean
}

type Found = readonly Finding[] | Promise<readonly Finding[]>

/** A check of the machine. Each has a deadline, in milliseconds. */
interface MachineCheck {
  readonly name: string
  readonly longestMs: number
  readonly find: (examination: Examination) => Found
}

/** The checks in the order of their findings, one after another: later ones use what earlier ones find. */
const machineChecks: readonly MachineCheck[] = [
  { name: 'node', longestMs: 5_000, find: () => [checkNode()] },
  { name: 'open files', longestMs: 5_000, find: () => [checkFiles()] },
  {
    name: 'configuration',
    longestMs: 15_000,
    async find(examination) {
      const { findings, configuration } = await checkConfiguration(examination.invocation)
      examination.configuration = configuration
      return findings
    },
  },
  configured('memory', 5_000, ({ settings }, { workers }) => [checkMemory(settings, { workers })]),
  configured('shutdown', 5_000, ({ settings }, { invocation }) => [
    checkShutdown(settings, invocation.terminal.env),
  ]),
  configured('ports', 10_000, async ({ settings }, examination) => {
    const { findings, isServing } = await checkPorts(settings)
    examination.isServing = isServing
    return findings
  }),
  configured('directories', 5_000, async (configuration) => [
    ...(await checkDirectories(configuration)),
    ...(await checkWrittenFiles(configuration.settings)),
  ]),
  configured('store', 15_000, async (configuration, { clocks }) => {
    const { findings, clock } = await checkStore(configuration)
    if (clock) clocks.push(clock)
    return findings
  }),
  configured('accounts', 60_000, async (configuration, examination) => {
    const { invocation, clocks } = examination
    const report = await checkAccounts(configuration, invocation, hasStore(examination))
    clocks.push(...report.clocks)
    return report.findings
  }),
  {
    name: 'telemetry',
    longestMs: 5_000,
    // Without a valid configuration the variables alone say where telemetry goes.
    find: ({ invocation, configuration }) =>
      checkTelemetry(invocation.terminal.env, configuration?.settings.telemetry),
  },
  configured('proxies', 15_000, async (configuration, examination) => {
    const { isServing = false } = examination
    return [await checkProxies(configuration, { hasStore: hasStore(examination), isServing })]
  }),
  configured('clock', 5_000, ({ settings }, { clocks, found }) => {
    const isLocal = /^(?:file|memory):/.test(settings.store)
    const areSound = (found.get('accounts') ?? []).every(({ status }) => status === 'OK')
    return [checkClock(clocks, isLocal && areSound)]
  }),
]

/** A check that needs the configuration, and finds nothing without one. */
function configured(
  name: string,
  longestMs: number,
  find: (configuration: CommandConfiguration, examination: Examination) => Found,
): MachineCheck {
  return {
    name,
    longestMs,
    find: (examination) =>
      examination.configuration ? find(examination.configuration, examination) : [],
  }
}

function hasStore({ found }: Examination): boolean {
  return (found.get('store') ?? []).every(({ status }) => status !== 'FAIL')
}

/**
 * `dragoman doctor`: looks for what would keep a gateway from serving here. It changes nothing, makes only
 * free calls, and ends: each check has a deadline. 1 if a check fails.
 */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const isJson = options['json'] !== undefined
  const workers = readWorkers(options, terminal.env)
  const examination: Examination = { invocation, workers, found: new Map(), clocks: [] }
  for (const check of machineChecks) {
    const found = await runCheck(check, async () => check.find(examination))
    examination.found.set(check.name, found)
    if (!isJson) for (const one of found) terminal.out(linesOf(one))
  }
  const findings = [...examination.found.values()].flat()
  const count = (status: Finding['status']) =>
    findings.filter((one) => one.status === status).length
  const failed = count('FAIL')
  if (isJson) terminal.out(JSON.stringify(findings.map(shown), null, 2))
  terminal.say(`${count('OK')} in order, ${count('WARN')} to look at, ${failed} failed.`)
  if (failed > 0) terminal.say(`\`${programName()} check\` shows the configuration as a whole.`)
  return failed > 0 ? 1 : 0
}

function linesOf({ check, status, message, fix }: Finding): string {
  const [line = ''] = alignColumns([[status.padEnd(4), check.padEnd(15), message]])
  return fix === undefined ? line : `${line}\n      ${alignColumns([[`fix: ${fix}`]])[0]}`
}

/** The same members in each, for programs. */
function shown({ check, status, message, fix }: Finding) {
  return { check, status, message, fix: fix ?? null }
}
