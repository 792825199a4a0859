import { join, resolve } from 'node:path'

import type { Caller } from '../contract/request.ts'
import type { Files } from '../contract/files.ts'
import { type Log, describeError } from '../lib/log.ts'
import { type PublicUrl, createPublicUrl } from '../kit/public-url.ts'
import type { Store } from '../stores/store.ts'
import { createFiles } from './files.ts'
import { type LocalStorage, createLocalStorage } from './local/storage.ts'
import { type ResultStorage, type Results, createResults, resultsName } from './results.ts'
import { sweepOld } from './local/sweep.ts'
import { createS3Storage } from './s3/storage.ts'
import { type Storage, localName } from '../contract/storage.ts'
import { type UploadsSetting, defaultUploads } from './settings.ts'
import { createSigner } from './signer.ts'
import { createStorageRegistry } from './registry.ts'
import { type TimedSweep, createTimedSweep } from './sweep.ts'
import { type Descriptor, type UploadRequest, issueUpload } from './issue.ts'

export interface UploadsOptions {
  /** Absent: the gateway's own storage alone. */
  readonly settings?: UploadsSetting
  /** Absent: URLs of the gateway's own storage cannot be given out, and nothing there is deleted. */
  readonly publicUrl?: PublicUrl
  /** Where a relative directory begins. */
  readonly cwd?: string
  /** Of the gateway's own storage: the longest silence of a sender, in milliseconds. */
  readonly silenceMs?: number
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** What uploads need from where they are used. */
export interface UploadsSurroundings extends UploadsOptions {
  readonly store: Pick<Store, 'records'>
  /** Storages that plugins add. */
  readonly storages?: readonly Storage[]
  readonly log?: Pick<Log, 'warn'>
}

/** Uploads of clients, and the files that come of them. */
export interface Uploads {
  /** For other operations. */
  readonly files: Files
  /** URLs for a file that the caller wants to upload. Throws `GatewayError`. */
  issue(request: UploadRequest, caller: Caller): Promise<Descriptor>
  /** What the gateway hands out itself for a while. Absent where it has no storage of its own. */
  readonly results: Results | undefined
  /** Who answers at the gateway's own URLs of this name. */
  local(name: string): Pick<LocalStorage, 'answer'> | undefined
  close(): void
}

/**
 * Puts the storages together. Nothing is opened, read or signed before somebody asks, but what has
 * expired is deleted from now on.
 */
export function createUploads(surroundings: UploadsSurroundings): Uploads {
  const { settings = defaultUploads, now = Date.now, storages = [] } = surroundings
  const { directory } = settings
  const own = directory === undefined ? [] : [openLocal(surroundings, settings, directory)]
  const family = settings.storages.map((setting) => createS3Storage(setting, { now }))
  const shelf = createStorageRegistry([...own, ...family, ...storages])
  const results =
    directory === undefined ? undefined : openResults(surroundings, settings, directory)
  const aging = directory === undefined ? undefined : openAging(surroundings, settings, directory)
  if (surroundings.publicUrl) {
    results?.beginSweeping()
    aging?.begin()
  }
  return {
    files: createFiles(shelf, now),
    issue: (request, caller) => issueUpload(request, { caller, shelf, settings, now }),
    results,
    local: (name) =>
      name === resultsName ? results : own.find((storage) => storage.name === name),
    close() {
      results?.close()
      aging?.close()
    },
  }
}

function openLocal(
  {
    store,
    publicUrl = createPublicUrl(),
    cwd = '.',
    silenceMs = 60_000,
    now = Date.now,
  }: UploadsSurroundings,
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
    silenceMs,
    now,
  })
}

/** Beside the uploads, where no owner of theirs can be called so. */
function openResults(
  { store, publicUrl = createPublicUrl(), cwd = '.', now = Date.now, log }: UploadsSurroundings,
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

/** Deletes uploads that are older than the operator keeps them. Absent: they are kept for ever. */
function openAging(
  { cwd = '.', now = Date.now, log }: UploadsSurroundings,
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
