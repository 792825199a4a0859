import { join, resolve } from 'node:path'

import type { Caller } from '../contract/request.ts'
import type { Files } from '../contract/files.ts'
import type { LeastPace } from '../kit/body-limits.ts'
import { type Log, describeError } from '../lib/log.ts'
import { type PublicUrl, createPublicUrl } from '../kit/public-url.ts'
import type { Store } from '../stores/store.ts'
import { createFiles } from './files.ts'
import { type LocalStorage, createLocalStorage } from './local/storage.ts'
import { type ResultStorage, type Results, createResults, resultsName } from './results.ts'
import { sweepOld } from './local/sweep.ts'
import { createS3Storage } from './s3/storage.ts'
import { type ReachedAt, type Storage, localName } from '../contract/storage.ts'
import { type UploadsSetting, defaultUploads } from './settings.ts'
import { createSigner } from './signer.ts'
import { createStorageRegistry } from './registry.ts'
import { type TimedSweep, createTimedSweep } from './sweep.ts'
import { type UploadDescriptor, type UploadRequest, issueUpload } from './issue.ts'

/** The options of uploads. */
export interface UploadsOptions {
  /** Default: the local storage alone. */
  readonly settings?: UploadsSetting
  /** Absent: the local storage issues no URLs and deletes no old files. */
  readonly publicUrl?: PublicUrl
  /** The base of a relative directory. Default: the current directory. */
  readonly cwd?: string
  /** The least speed of a client that sends a file to the local storage. */
  readonly pace?: LeastPace
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** The options of uploads, and the services that the gateway provides for them. */
interface UploadsEnvironment extends UploadsOptions {
  readonly store: Pick<Store, 'records'>
  /** Storages that plugins add. */
  readonly storages?: readonly Storage[]
  readonly log?: Pick<Log, 'warn'>
}

/** The uploads of clients. */
export interface Uploads {
  /** The uploaded files, for operations that take them. */
  readonly files: Files
  /**
   * Issues the URLs for an upload. `clientRequest` is the one that gets them. Rejects with `GatewayError`.
   */
  issue(
    request: UploadRequest,
    caller: Caller,
    clientRequest?: ReachedAt,
  ): Promise<UploadDescriptor>
  /** The temporary files of the gateway itself. Absent without a local storage. */
  readonly results: Results | undefined
  /** The handler of the gateway's own signed URLs for the storage of this name. */
  local(name: string): Pick<LocalStorage, 'answer'> | undefined
  close(): void
}

/**
 * Creates all storages. Nothing is opened, read or signed before the first request; only the sweeps of
 * expired files begin at once.
 */
export function createUploads(environment: UploadsEnvironment): Uploads {
  const { settings = defaultUploads, now = Date.now, storages = [] } = environment
  const { directory } = settings
  const localStorages =
    directory === undefined ? [] : [createLocal(environment, settings, directory)]
  const s3Storages = settings.storages.map((setting) => createS3Storage(setting, { now }))
  const registry = createStorageRegistry([...localStorages, ...s3Storages, ...storages])
  const results =
    directory === undefined ? undefined : createResultStorage(environment, settings, directory)
  const ageSweep =
    directory === undefined ? undefined : createAgeSweep(environment, settings, directory)
  if (environment.publicUrl) {
    results?.beginSweeping()
    ageSweep?.begin()
  }
  return {
    files: createFiles(registry, now),
    issue: (request, caller, clientRequest) =>
      issueUpload(request, { caller, registry, settings, now, clientRequest }),
    results,
    local: (name) =>
      name === resultsName ? results : localStorages.find((storage) => storage.name === name),
    close() {
      results?.close()
      ageSweep?.close()
    },
  }
}

const defaultPace: LeastPace = { windowMs: 60_000, bytesPerSecond: 1024 }

function createLocal(
  {
    store,
    publicUrl = createPublicUrl(),
    cwd = '.',
    pace = defaultPace,
    now = Date.now,
  }: UploadsEnvironment,
  { secret, types }: UploadsSetting,
  directory: string,
): LocalStorage {
  return createLocalStorage({
    name: localName,
    directory: resolve(cwd, directory),
    signer: createSigner({ secret, records: store.records('secrets'), purpose: 'uploads' }),
    publicUrl,
    used: store.records('used-uploads'),
    types,
    pace,
    now,
  })
}

/** Results have a subdirectory of the uploads; no owner can have its name. */
function createResultStorage(
  { store, publicUrl = createPublicUrl(), cwd = '.', now = Date.now, log }: UploadsEnvironment,
  { secret }: UploadsSetting,
  directory: string,
): ResultStorage {
  return createResults({
    directory: join(resolve(cwd, directory), resultsName),
    signer: createSigner({ secret, records: store.records('secrets'), purpose: resultsName }),
    publicUrl,
    now,
    onSweepError: (error) => log?.warn('expired images cannot be deleted', describeError(error)),
  })
}

const hourMs = 60 * 60_000

/** Creates the sweep of old uploads; `undefined` if the operator keeps them forever. */
function createAgeSweep(
  { cwd = '.', now = Date.now, log }: UploadsEnvironment,
  { keepDays }: UploadsSetting,
  directory: string,
): TimedSweep | undefined {
  if (keepDays === undefined) return undefined
  return createTimedSweep({
    sweep: () => sweepOld(resolve(cwd, directory), now() - keepDays * 24 * hourMs),
    everyMs: hourMs,
    onError: (error) => log?.warn('old uploads cannot be deleted', describeError(error)),
  })
}
