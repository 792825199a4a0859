import { totalmem } from 'node:os'

import type { EnvironmentVariables } from '../../configuration/secrets.ts'
import type { Settings } from '../../configuration/settings.ts'
import { CommandError } from '../command.ts'
import { readDrainTimes } from '../drain-times.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const mebibyte = 1024 * 1024

/** The memory of a process without bodies and replies, in bytes (docs/operations.md). */
const processBytes = 150 * mebibyte

/** Bytes of memory for each byte of an upload that is in a JSON body. */
const inlineFactor = 3.5

/** A call takes a connection of the client and one to the account. */
const filesOfCall = 2

/** Open files below which a gateway fails, and below which it may under load. */
const leastFiles = 1_024
const fewFiles = 10_000

/** The version of Node: the command line itself refuses older versions. */
export function checkNode(version = process.versions.node): Finding {
  return ok('node', `Node ${version}.`)
}

/** The number of files and connections that a process may have open. `undefined`: unknown. */
export function checkFiles(limit = openFilesLimit()): Finding {
  const name = 'open files'
  if (limit === undefined) return ok(name, 'This system does not tell its limit.')
  if (limit >= fewFiles)
    return ok(name, `A process may open ${limit === Infinity ? 'any number of' : limit} files.`)
  const message = `A process may open ${limit} files: enough for about ${Math.floor(limit / filesOfCall)} calls at once.`
  const fix = `raise it to ${fewFiles} or more: ulimit -n, LimitNOFILE of systemd, ulimits of a container`
  return limit < leastFiles ? fail(name, message, fix) : warn(name, message, fix)
}

/** Node raises its limit to the hard one when it starts, so this process has the limit that a gateway has. */
function openFilesLimit(): number | undefined {
  // Otherwise the report looks up the names of all addresses.
  Object.assign(process.report, { excludeNetwork: true })
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft?: number | string } }
  }
  const soft = userLimits?.open_files?.soft
  if (soft === 'unlimited') return Infinity
  return typeof soft === 'number' ? soft : undefined
}

/** The memory of the machine or the container, against what the limits let the processes use. */
export function checkMemory(
  { limits: { memoryBytes, inlineBytes } }: Pick<Settings, 'limits'>,
  { workers, availableBytes = usableMemory() }: { workers: number; availableBytes?: number },
): Finding {
  const name = 'memory'
  const least = workers * (processBytes + memoryBytes)
  // Garbage and copies take as much again.
  const likely = least + workers * memoryBytes
  const most = likely + workers * inlineFactor * inlineBytes
  const inAll = workers === 1 ? 'A process' : `${workers} processes`
  const of = `of ${mebibytes(availableBytes)}`
  const lower = 'give the gateway more memory, or lower'
  if (least > availableBytes || likely > availableBytes) {
    const message = `${inAll} may use ${mebibytes(likely)} for bodies and replies, ${of}.`
    const fix = `${lower} limits.memoryBytes${workers > 1 ? ' or the number of workers' : ''}`
    return least > availableBytes ? fail(name, message, fix) : warn(name, message, fix)
  }
  if (most <= availableBytes) return ok(name, `${inAll} may use ${mebibytes(most)} at most, ${of}.`)
  const message = `${inAll} may use ${mebibytes(most)} if many uploads are read into JSON bodies at once, ${of}.`
  return warn(name, message, `${lower} limits.inlineBytes`)
}

/** Calls under way that have less time at the end of a process are cut off in great numbers. Milliseconds. */
const leastDrainMs = 5_000

/** How long the end of a process takes, against what its supervisor leaves it. */
export function checkShutdown(
  { timeouts: { drainMs } }: { readonly timeouts: { readonly drainMs: number } },
  env: EnvironmentVariables,
): Finding {
  const name = 'shutdown'
  const variable = 'TERMINATION_GRACE_PERIOD_SECONDS'
  try {
    const { delayMs, timeoutMs } = readDrainTimes({ env }, drainMs)('SIGTERM')
    const times = `SIGTERM leaves ${seconds(delayMs)} for balancers to notice, and ${seconds(timeoutMs)} for calls under way.`
    if (env['KUBERNETES_SERVICE_HOST'] && !env[variable]) {
      const message = `${times} Kubernetes does not tell a process when it kills the pod.`
      return warn(name, message, `set ${variable} to terminationGracePeriodSeconds of the pod`)
    }
    if (timeoutMs >= leastDrainMs) return ok(name, times)
    const setting = env[variable] ? variable : `timeouts.drainMs or ${variable}`
    return warn(name, times, `raise ${setting}, and the time after which the supervisor kills`)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return fail(name, error.message, `correct DRAGOMAN_DRAIN_DELAY_MS and ${variable}`)
  }
}

function seconds(ms: number): string {
  return `${ms / 1_000} s`
}

/** The limit of the container (cgroup), or the memory of the machine. */
function usableMemory(): number {
  return Math.min(process.constrainedMemory() || Infinity, totalmem())
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / mebibyte)} MiB`
}
