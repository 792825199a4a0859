import { access, constants, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

import { shownUrl } from '../../configuration/shown-url.ts'
import { listStates } from '../../stores/operator-states.ts'
import { databaseFile } from '../../stores/file/database.ts'
import { StoreUnavailable } from '../../stores/store.ts'
import { type CommandConfiguration, concernsStore } from '../command-configuration.ts'
import { mayContainRecords, useStore } from '../use-store.ts'
import type { ClockReading } from './clock.ts'
import { checkSpace } from './disk.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const name = 'store'

/** The findings about the store, and the reading of its clock. */
interface StoreReport {
  readonly findings: readonly Finding[]
  readonly clock?: ClockReading
}

/** Round trips beyond this slow each call down that reads a binding. Milliseconds. */
const slowMs = 50

/** Reads from the store, and asks what it is made of. Writes nothing, and creates no missing store. */
export async function checkStore(configuration: CommandConfiguration): Promise<StoreReport> {
  const { store } = configuration.settings
  // The default stands in for a setting that is not valid.
  if (configuration.problems.some(concernsStore)) {
    const finding = fail(name, 'Its setting is not valid.', 'correct the configuration first')
    return { findings: [finding] }
  }
  try {
    if (store === 'memory:') return { findings: [memoryStore()] }
    if (store.startsWith('file:')) return { findings: await checkFileStore(configuration) }
    return await checkRedis(configuration)
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    return { findings: [fail(name, error.message, fixOf(store))] }
  }
}

function memoryStore(): Finding {
  const fix = 'name a store that stays: file:DIR on one machine, Redis for replicas'
  return warn(name, 'memory: loses all keys and bindings with the process.', fix)
}

function fixOf(store: string): string {
  return store.startsWith('file:')
    ? 'repair or move it, give this user the rights, or choose another with --store'
    : 'check its address, its login, its TLS and the network to it'
}

async function checkRedis(configuration: CommandConfiguration): Promise<StoreReport> {
  const { settings } = configuration
  const { probeRedis } = await import('../../stores/redis/probe.ts')
  const { pingMs, clock, eviction, isReplica } = await probeRedis(settings.store)
  // The user may have the right to ask for settings and lack that to read records.
  await useStore(configuration, (store) => listStates(store, 'account'))
  const shown = shownUrl(settings.store)
  const findings = [answering(shown, pingMs)]
  if (isReplica) {
    const fix = 'name the primary, or its sentinels with redis+sentinel://'
    findings.push(fail(name, `${shown} is a replica, which takes no writes.`, fix))
  }
  if (eviction !== undefined) {
    const fix = 'set maxmemory-policy noeviction, and give Redis enough memory'
    const message = `Redis drops records when its memory is full (${eviction}): chained responses and keys get lost.`
    findings.push(warn(name, message, fix))
  }
  return {
    findings,
    ...(clock && {
      clock: {
        of: 'the store',
        time: clock.time,
        at: (clock.before + clock.after) / 2,
        errorMs: (clock.after - clock.before) / 2,
      },
    }),
  }
}

function answering(shown: string, pingMs: number): Finding {
  const message = `${shown} answers in ${pingMs} ms.`
  if (pingMs < slowMs) return ok(name, message)
  return warn(name, message, 'bring it nearer: calls wait for it, and give up after 300 ms')
}

async function checkFileStore(configuration: CommandConfiguration): Promise<Finding[]> {
  const { settings, storeBase } = configuration
  const directory = resolve(storeBase, settings.store.slice('file:'.length))
  const fault = await writeFault(directory)
  if (fault !== undefined)
    return [fail(name, `The store directory ${fault}.`, fixOf(settings.store))]
  const space = await checkSpace(name, directory)
  if (!mayContainRecords(configuration))
    return [ok(name, `${directory} has no store yet; the first start creates it.`), ...space]
  const startedAt = performance.now()
  await useStore(configuration, (store) => listStates(store, 'account'))
  const readMs = Math.round(performance.now() - startedAt)
  return [ok(name, `${directory} is readable and writable (${readMs} ms).`), ...space]
}

/** Why the database of a directory cannot be written; of a missing one, why it cannot be created. */
async function writeFault(directory: string): Promise<string | undefined> {
  try {
    if (!(await stat(directory)).isDirectory()) return `${directory} is a file`
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK)
    const file = databaseFile(directory)
    for (const path of [file, `${file}-wal`, `${file}-shm`]) await accessIfPresent(path)
    return undefined
  } catch (error) {
    const { code = 'error', path = directory } = error as NodeJS.ErrnoException
    const above = dirname(directory)
    if (code === 'ENOENT' && above !== directory) return writeFault(above)
    return `cannot be used: ${path} is not writable by this user (${code})`
  }
}

async function accessIfPresent(path: string): Promise<void> {
  try {
    await access(path, constants.R_OK | constants.W_OK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
